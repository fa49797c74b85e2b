import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it.each(["LONG", "NIGHTLY"])("%s leaves only existing files out: a renamed file would run again", (name) => {
  const root = join(import.meta.dirname, "..");
  const config = readFileSync(join(root, "vitest.config.ts"), "utf8");
  const list = new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(config)?.[1] ?? "";
  const patterns = [...list.matchAll(/"([^"]+)"/g)].map(([, pattern]) => pattern ?? "");
  const files = patterns.filter((pattern) => !pattern.includes("*"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
