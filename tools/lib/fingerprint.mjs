// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

const IGNORED_FOLDERS = new Set(["node_modules", "dist", "coverage", "testing"]);
/** A change in a test must not rebuild the product. */
const TEST_FILE = /[.]test[.][cm]?[jt]sx?$/;

/**
 * @param {string} path
 * @param {string[]} found lines "path size mtime"
 */
const collect = (path, found) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    if (!TEST_FILE.test(path)) found.push(`${path} ${stat.size} ${stat.mtimeMs}`);
    return;
  }
  for (const entry of readdirSync(path)) {
    if (!IGNORED_FOLDERS.has(entry)) collect(join(path, entry), found);
  }
};

/**
 * A short text that changes whenever a file below one of the paths appears, goes, grows or is written. It reads no
 * contents, so it costs a few milliseconds for some hundred files.
 * @param {readonly string[]} paths relative to the root; missing ones count as empty
 */
export const fingerprintFiles = (paths) => {
  /** @type {string[]} */
  const found = [];
  for (const path of paths) collect(join(ROOT, path), found);
  return createHash("sha256").update(found.sort().join("\n")).digest("hex").slice(0, 32);
};

/**
 * The same for a few small files, by content: a fresh checkout of the same files gives the same text.
 * @param {readonly string[]} paths relative to the root; missing ones count as empty
 */
export const fingerprintContents = (paths) => {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(`\0${path}\0${readText(join(ROOT, path))}`);
  return hash.digest("hex").slice(0, 32);
};

/**
 * The text of a file, "" when there is none.
 * @param {string} path
 */
export const readText = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
