// @ts-check
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../lib/root.mjs";

/** The newest that runs on Node 20. */
export const STRYKER_VERSION = "9.6.1";
/** Where StrykerJS is put at first use. */
export const STRYKER_FOLDER = join(
  ROOT,
  "node_modules/.cache/tollgate-mutants",
  `stryker-${STRYKER_VERSION}`,
);

/**
 * A module of StrykerJS, of which the project has no types: it is installed only where a person measures.
 * @param {string} path within its packages
 * @returns {Promise<any>}
 */
export const loadStryker = (path) =>
  import(pathToFileURL(join(STRYKER_FOLDER, "node_modules/@stryker-mutator", path)).href);
