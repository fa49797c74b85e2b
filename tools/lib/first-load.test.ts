import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listRoutes } from "./console-routes.mjs";
import { checkWeights, weighPages, writePreloads } from "./first-load.mjs";
import { ROOT } from "./root.mjs";

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
      "locales/zh-CN/index.ts": { file: "zh.js" },
      "locales/zh-CN/lists.json": { file: "zh-lists.js" },
      "locales/en/index.ts": { file: "en.js" },
      "locales/en/lists.json": { file: "en-lists.js" },
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
  write("zh-lists.js", 60);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ROUTES = [{ path: "/list", module: "list.tsx", areas: ["lists"] }];

const budget = (maxKib: number, modules: string[] = []) => ({
  everyPage: ["index.html"],
  pages: { "/list": { maxKib, modules } },
});

it("counts the modules imported at once, each file once, in transferred size", () => {
  expect(weighPages(folder, budget(3), ROUTES)).toEqual([
    {
      page: "/list",
      files: ["first.js", "index.js", "list.js", "shell.css", "shell.js", "zh-lists.js"],
      bytes: 24 + 500 + 700 + 300 + 1000 + 60,
      maxBytes: 3072,
    },
  ]);
});

it("fails a build above the bar, with the page, its weight and the bar", () => {
  expect(() => checkWeights(folder, budget(3), ROUTES)).not.toThrow();
  expect(() => checkWeights(folder, budget(2), ROUTES)).toThrow(/\/list .*2\.5 KiB.* 2\.0 KiB/);
});

it("fails when the budget names a file or a page that the build does not have", () => {
  expect(() => checkWeights(folder, budget(3, ["gone.tsx"]), ROUTES)).toThrow("gone.tsx");
  expect(() => checkWeights(folder, budget(3), [])).toThrow("/list");
});

it("lists the scripts that each page loads besides the entry, and its texts in each language", () => {
  writePreloads(folder, ROUTES, ["zh-CN", "en"]);
  expect(JSON.parse(readFileSync(join(folder, "preloads.json"), "utf8"))).toEqual([
    {
      path: "/list",
      code: ["list.js"],
      texts: { "zh-CN": ["zh-lists.js", "zh.js"], en: ["en-lists.js", "en.js"] },
    },
  ]);
});

it("finds the module and the texts of every page of the router", () => {
  const routes = listRoutes();
  // No other text of the router's file begins with a slash.
  const paths = readFileSync(join(ROOT, "console/app/router.tsx"), "utf8").matchAll(/"(\/[^"]*)"/g);
  expect(new Set(routes.map(({ path }) => path))).toEqual(new Set([...paths].map(([, path]) => path)));
  for (const { path, module, areas } of routes) {
    expect([path, existsSync(join(ROOT, "console", module))]).toEqual([path, true]);
    expect([path, areas.length > 0]).toEqual([path, true]);
  }
});
