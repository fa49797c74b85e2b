import { readFileSync } from "node:fs";

/** Reads what stands in a protocol's folder of fixtures. @param test the `import.meta.url` of the test beside it. */
export const fixturesOf =
  (test: string) =>
  (name: string): Buffer =>
    readFileSync(new URL(`./fixtures/${name}`, test));
