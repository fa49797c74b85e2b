// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { ROOT } from "./root.mjs";

/**
 * What package-lock.json says of a package at a path ("node_modules/pino").
 * @typedef {{version?: string, license?: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, integrity?: string, optional?: boolean}} Locked
 * @typedef {{packages: Record<string, Locked>}} Lock
 */

/**
 * Where Node finds a package that one at `path` loads: below it, else below whoever is around it.
 * @param {Lock} lock
 * @param {string} path "" for the root
 * @param {string} name
 * @returns {string | undefined}
 */
const findPath = ({ packages }, path, name) => {
  for (let around = path; ; around = around.slice(0, Math.max(0, around.lastIndexOf("/node_modules/")))) {
    const found = `${around === "" ? "" : `${around}/`}node_modules/${name}`;
    if (packages[found]) return found;
    if (around === "") return undefined;
  }
};

/**
 * The packages that these need, with those that they need in turn, on every platform.
 * @param {Lock} lock package-lock.json
 * @param {readonly string[]} names
 * @returns {string[]} where they stand ("node_modules/pino"), sorted
 * @throws Failure for a package that the lock does not have
 */
export const pickLocked = (lock, names) => {
  /** @type {Set<string>} */
  const picked = new Set();
  /** @param {string} path @param {string} name @param {boolean} isOptional */
  const visit = (path, name, isOptional) => {
    const found = findPath(lock, path, name);
    if (found === undefined) {
      if (isOptional) return;
      throw new Failure(`package-lock.json does not have ${name}, which ${path || "the product"} needs.`);
    }
    if (picked.has(found)) return;
    picked.add(found);
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[found] ?? {};
    for (const each of Object.keys(dependencies)) visit(found, each, false);
    for (const each of Object.keys(optionalDependencies)) visit(found, each, true);
  };
  for (const name of names) visit("", name, false);
  return [...picked].sort();
};

/**
 * The packages that two locks pin differently: another version or content, or one that only a single lock has. An
 * optional package of a single lock does not count, since npm versions disagree on which platforms belong in a lock.
 * @param {Lock} before
 * @param {Lock} after
 * @returns {string[]} where they stand ("node_modules/pino"), sorted
 */
export const listRepinned = (before, after) => {
  /** @param {Locked} locked */
  const formatPin = ({ version = "", integrity = "" }) => `${version} ${integrity}`;
  const paths = new Set([...Object.keys(before.packages), ...Object.keys(after.packages)]);
  return [...paths]
    .filter((path) => {
      const old = before.packages[path];
      const next = after.packages[path];
      if (old && next) return formatPin(old) !== formatPin(next);
      return (old ?? next)?.optional !== true;
    })
    .sort();
};

/** @param {string} path of a package below the root */
const readLicence = (path) => {
  const folder = join(ROOT, path);
  if (!existsSync(folder)) return "";
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)([.].*)?$/i.test(each));
  return file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
};

/**
 * The licences of packages whose code stands in the built files, as these licences ask for.
 * @param {Lock} lock
 * @param {readonly string[]} paths
 */
export const listLicences = (lock, paths) =>
  paths
    .map((path) => {
      const { version = "", license = "" } = lock.packages[path] ?? {};
      return `${path.replace(/^.*node_modules\//, "")} ${version} (${license})\n\n${readLicence(path)}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
