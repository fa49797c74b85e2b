import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkWeights, weighPages } from "./first-load.mjs";

let folder: string;

const write = (name: string, bytes: number): void =>
  writeFileSync(join(folder, name), Buffer.alloc(bytes, "x"));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-weight-"));
  mkdirSync(join(folder, ".vite"));
  writeFileSync(
    join(folder, ".vite/manifest.json"),
    JSON.stringify({
      "index.html": { file: "index.js", imports: ["_shell.js"], css: ["shell.css"] },
      "_shell.js": { file: "shell.js", imports: ["index.html"] },
      "list.tsx": { file: "list.js", imports: ["_shell.js"], dynamicImports: ["chart.tsx"] },
      "chart.tsx": { file: "chart.js", imports: ["_shell.js"] },
    }),
  );
  writeFileSync(join(folder, "index.html"), '<script src="/first.js"></script>');
  write("first.js", 24);
  write("index.js", 500);
  write("shell.js", 90_000);
  write("shell.js.br", 1000);
  write("shell.css", 300);
  write("list.js", 700);
  write("chart.js", 50_000);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const budget = (maxKib: number, modules = ["list.tsx"]) => ({
  everyPage: ["index.html"],
  pages: { "/list": { maxKib, modules } },
});

it("counts the modules imported at once, each file once, in transferred size", () => {
  expect(weighPages(folder, budget(3))).toEqual([
    {
      page: "/list",
      files: ["first.js", "index.js", "list.js", "shell.css", "shell.js"],
      bytes: 24 + 500 + 700 + 300 + 1000,
      maxBytes: 3072,
    },
  ]);
});

it("fails a build above the bar, with the page, its weight and the bar", () => {
  expect(() => checkWeights(folder, budget(3))).not.toThrow();
  expect(() => checkWeights(folder, budget(2))).toThrow(/\/list .*2\.5 KiB.* 2\.0 KiB/);
});

it("fails when the budget names a file that the build does not have", () => {
  expect(() => checkWeights(folder, budget(3, ["gone.tsx"]))).toThrow("gone.tsx");
});
