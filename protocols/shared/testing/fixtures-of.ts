import { readFileSync } from "node:fs";

/** Reads a protocol's folder of fixtures. @param test the `import.meta.url` of the test next to it. */
export const fixturesOf =
  (test: string) =>
  (name: string): Buffer =>
    readFileSync(new URL(`./fixtures/${name}`, test));
