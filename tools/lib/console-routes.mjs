// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "./root.mjs";

/**
 * A page of the console: its address, its module and the areas of its texts.
 * @typedef {{path: string, module: string, areas: string[]}} ConsoleRoute
 */

const CONSOLE = join(ROOT, "console");
const ROUTER = "app/router.tsx";

/** A path and its lazily loaded page: no other text of the router's file begins with a slash. */
const ROUTE = /"(\/[^"]*)"(?:(?!"\/)[\s\S])*?\[((?:"[\w-]+"[,\s]*)+)\],\s*\(\) => import\("([^"]+)"\)/g;

/**
 * The path of a module inside console/.
 * @param {string} name as the router imports it
 */
const locateModule = (name) => {
  const path = posix.join(posix.dirname(ROUTER), name);
  return existsSync(join(CONSOLE, `${path}.tsx`)) ? `${path}.tsx` : `${path}.ts`;
};

/**
 * The pages as the router declares them. The router itself runs only in a browser, and is read as text.
 * @param {string} [source] the router's file
 * @returns {ConsoleRoute[]}
 */
export const listRoutes = (source = readFileSync(join(CONSOLE, ROUTER), "utf8")) =>
  [...source.matchAll(ROUTE)].map(([, path = "", areas = "", module = ""]) => ({
    path,
    module: locateModule(module),
    areas: [...areas.matchAll(/[\w-]+/g)].map(([area]) => area),
  }));

/**
 * The text files of a page in a language, by their paths inside console/.
 * @param {string} language
 * @param {readonly string[]} areas
 */
export const listTexts = (language, areas) => areas.map((area) => `locales/${language}/${area}.json`);
