// @ts-check
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listRoutes, listTexts } from "./console-routes.mjs";
import { Failure } from "./failure.mjs";
import { ROOT } from "./root.mjs";

/**
 * What Vite's manifest says of a chunk: its file, its styles, and the chunks that it cannot do without.
 * @typedef {{file: string, css?: string[], imports?: string[]}} Chunk
 * @typedef {Record<string, Chunk>} Manifest
 */

/**
 * console/weight-budget.json: the modules that a page loads at once besides its own module and texts (paths inside
 * console/), and how many KiB all of them may weigh with everything they import, as brotli. Its bars of cold visits are
 * held by e2e/console/layout-shift.test.ts.
 * @typedef {{everyPage: string[], pages: Record<string, {maxKib: number, modules: string[]}>}} Budget
 * @typedef {import("./console-routes.mjs").ConsoleRoute} ConsoleRoute
 */

/** The language whose texts the budget weighs. */
const WEIGHED_LANGUAGE = "zh-CN";

const MANIFEST = ".vite/manifest.json";
const BUDGET = join(ROOT, "console/weight-budget.json");

/** @param {string} folder @returns {Manifest} */
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, MANIFEST), "utf8"));

/** @returns {Budget} */
const readBudget = () => JSON.parse(readFileSync(BUDGET, "utf8"));

/**
 * The scripts and styles that these modules need at once; what they load later is not among them.
 * @param {Manifest} manifest
 * @param {readonly string[]} modules
 * @returns {string[]} file names inside the built folder, sorted
 * @throws Failure for a module that is no chunk of its own
 */
export const findFirstLoad = (manifest, modules) => {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const seen = new Set();
  /** @param {string} name */
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = manifest[name];
    if (!chunk) throw new Failure(`The console's build has no chunk ${name}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of modules) visit(name);
  return [...files].sort();
};

/**
 * Scripts that the page names itself and no chunk knows of.
 * @param {string} folder
 */
const listPageScripts = (folder) =>
  [...readFileSync(join(folder, "index.html"), "utf8").matchAll(/<script src="\/([^"]+)"/g)].map(
    (match) => match[1] ?? "",
  );

/**
 * What travels: the brotli copy where there is one.
 * @param {string} folder
 * @param {readonly string[]} files
 * @returns {number} bytes
 */
const weigh = (folder, files) =>
  files
    .map((file) => join(folder, file))
    .reduce((sum, path) => sum + statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size, 0);

/**
 * What a built console's pages weigh when they are first opened.
 * @param {string} folder a built console, compressed, with Vite's manifest in it
 * @param {Budget} budget
 * @param {readonly ConsoleRoute[]} [routes]
 * @returns {{page: string, files: string[], bytes: number, maxBytes: number}[]}
 */
export const weighPages = (folder, budget, routes = listRoutes()) => {
  const manifest = readManifest(folder);
  return Object.entries(budget.pages).map(([page, { maxKib, modules }]) => {
    const route = routes.find(({ path }) => path === page);
    if (!route) throw new Failure(`console/weight-budget.json names ${page}, which is no page.`);
    const own = [route.module, ...listTexts(WEIGHED_LANGUAGE, route.areas)];
    const files = [
      ...findFirstLoad(manifest, [...budget.everyPage, ...own, ...modules]),
      ...listPageScripts(folder),
    ].sort();
    return { page, files, bytes: weigh(folder, files), maxBytes: maxKib * 1024 };
  });
};

/**
 * Holds a built console to its budget, and leaves what was weighed beside the manifest, for the test in the browser.
 * @param {string} folder
 * @param {Budget} [budget]
 * @param {readonly ConsoleRoute[]} [routes]
 * @throws Failure that names every page above its bar, with both numbers
 */
export const checkWeights = (folder, budget = readBudget(), routes = listRoutes()) => {
  const pages = weighPages(folder, budget, routes);
  writeFileSync(join(folder, ".vite/first-load.json"), JSON.stringify(pages, null, 2));
  const tooHeavy = pages.filter(({ bytes, maxBytes }) => bytes > maxBytes);
  if (tooHeavy.length === 0) return;
  const kib = (/** @type {number} */ bytes) => (bytes / 1024).toFixed(1);
  throw new Failure(
    tooHeavy
      .map(
        ({ page, bytes, maxBytes }) =>
          `The page ${page} first loads ${kib(bytes)} KiB of scripts and styles (brotli); its bar is ${kib(maxBytes)} KiB (console/weight-budget.json).`,
      )
      .join("\n"),
  );
};

/**
 * Leaves a list of the scripts of each page beside the built page: the gateway names them in the page that it sends
 * (server/console-preloads.ts), so that they load beside the entry instead of after it.
 * @param {string} folder a built console with Vite's manifest in it
 * @param {readonly ConsoleRoute[]} [routes]
 * @param {readonly string[]} [languages]
 */
export const writePreloads = (
  folder,
  routes = listRoutes(),
  languages = readdirSync(join(ROOT, "console/locales"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
) => {
  const manifest = readManifest(folder);
  const entry = new Set(findFirstLoad(manifest, ["index.html"]));
  const scriptsOf = (/** @type {string[]} */ modules) =>
    findFirstLoad(manifest, modules).filter((file) => file.endsWith(".js") && !entry.has(file));
  const preloads = routes.map(({ path, module, areas }) => ({
    path,
    code: scriptsOf([module]),
    texts: Object.fromEntries(
      languages.map((language) => [
        language,
        scriptsOf([`locales/${language}/index.ts`, ...listTexts(language, areas)]),
      ]),
    ),
  }));
  writeFileSync(join(folder, "preloads.json"), JSON.stringify(preloads));
};
