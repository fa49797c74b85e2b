import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { listRoutes } from "./lib/console-routes.mjs";
import { ROOT } from "./lib/root.mjs";

/* A page whose modules name a text of an area that it does not load would show the text's key. */

const CONSOLE = join(ROOT, "console");
const TEXTS = join(CONSOLE, "locales", "zh-CN");

/** `import … from "./module"`, or the same with `export`. Parts that are loaded on demand bring their texts with them. */
const IMPORT = /^(?:import|export) (?!type )[^"]*? from "(\.[^"]+)"/gm;
/** A text's key as a whole, or the beginning of one that is put together. */
const KEY = /"([a-zA-Z]+(?:\.[a-zA-Z]+)+)"|`([a-zA-Z]+)\./g;

/** Areas of texts by the keys in them and by the first parts of those keys. */
const areas = new Map<string, string>();

const addKeys = (area: string, texts: object, prefix: string): void => {
  for (const [name, text] of Object.entries(texts)) {
    areas.set(prefix + name, area);
    if (typeof text === "object") addKeys(area, text, `${prefix}${name}.`);
  }
};

for (const file of readdirSync(TEXTS).filter((name) => name.endsWith(".json")))
  addKeys(file.slice(0, -".json".length), JSON.parse(readFileSync(join(TEXTS, file), "utf8")), "");

interface Module {
  imports: string[];
  /** Areas of the texts that it names. */
  areas: Set<string>;
}

const modules = new Map<string, Module>();

const readModule = (file: string): Module => {
  const known = modules.get(file);
  if (known) return known;
  const source = readFileSync(file, "utf8");
  const imports = [...source.matchAll(IMPORT)].flatMap(([, name = ""]) => {
    const path = resolve(dirname(file), name);
    return [`${path}.tsx`, `${path}.ts`].filter((candidate) => existsSync(candidate));
  });
  const named = [...source.matchAll(KEY)].flatMap(([, key, group]) => areas.get(key ?? group ?? "") ?? []);
  const module = { imports, areas: new Set(named) };
  modules.set(file, module);
  return module;
};

/** The areas that a page's modules name, each with the module. */
const namedBy = (page: string): Map<string, string> => {
  const seen = new Set([page]);
  const named = new Map<string, string>();
  for (const file of seen) {
    const module = readModule(file);
    for (const area of module.areas) named.set(area, file.slice(CONSOLE.length + 1));
    for (const imported of module.imports) seen.add(imported);
  }
  return named;
};

it("reads the pages, their modules and their texts", () => {
  expect(listRoutes().length).toBeGreaterThan(40);
  expect(namedBy(join(CONSOLE, "features/api-keys/api-key-form-page.tsx")).has("limits")).toBe(true);
});

it.each(listRoutes())("$path loads the texts that its modules name", ({ module, areas: loaded }) => {
  const missing = [...namedBy(join(CONSOLE, module))].filter(
    ([area]) => area !== "base" && !loaded.includes(area),
  );
  expect(missing).toEqual([]);
});

it("the command menu loads the texts that its modules name", () => {
  const menu = join(CONSOLE, "app/command-menu.tsx");
  const [, list = ""] = /loadTexts\(\[([\s\S]*?)\n {2}\]\)/.exec(readFileSync(menu, "utf8")) ?? [];
  const loaded = ["base", ...[...list.matchAll(/"([\w-]+)"/g)].map(([, area = ""]) => area)];
  expect(loaded.length).toBeGreaterThan(10);
  expect([...namedBy(menu)].filter(([area]) => !loaded.includes(area))).toEqual([]);
});
