import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openCleanFiles } from "./clean-files.mjs";

const folder = mkdtempSync(join(tmpdir(), "tollgate-clean-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const open = (rules = "1") => openCleanFiles(folder, "cache.json", rules);

it("has no answer where there is no repository", () => {
  expect(open()).toBeUndefined();
});

it("checks a file again when its content, its name or the rules differ from those that were clean", () => {
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  write(".gitignore", "cache.json\n");
  write("a.ts", "a");
  write("b.ts", "b");
  expect(open()?.changed).toEqual([".gitignore", "a.ts", "b.ts"]);
  expect(open()?.changed).toHaveLength(3);
  open()?.remember();
  expect(open()?.changed).toEqual([]);
  write("b.ts", "changed");
  write("c.ts", "a");
  expect(open()?.changed).toEqual(["b.ts", "c.ts"]);
  write("b.ts", "b");
  expect(open()?.changed).toEqual(["c.ts"]);
  expect(open("2")?.changed).toHaveLength(4);
});
