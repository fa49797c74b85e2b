import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PLANTED } from "./planted.mjs";

it.each(PLANTED)("the planted fault of $file still has its line, once: $from", ({ file, from }) => {
  const text = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
  expect(text.split(from)).toHaveLength(2);
});
