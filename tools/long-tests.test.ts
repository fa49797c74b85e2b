import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("leaves only existing files out of the quick loop: a renamed file would be tried in it again", () => {
  const root = join(import.meta.dirname, "..");
  const config = readFileSync(join(root, "vitest.config.ts"), "utf8");
  const list = /const LONG = \[([^\]]*)\]/.exec(config)?.[1] ?? "";
  const files = [...list.matchAll(/"([^"]+)"/g)].map(([, file]) => file ?? "");
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
