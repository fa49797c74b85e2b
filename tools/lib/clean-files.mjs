// @ts-check
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "./fingerprint.mjs";

/**
 * Files of a checkout with a hash of each content, without ignored files; undefined without git.
 * @param {string} root
 * @returns {Map<string, string> | undefined}
 */
const hashFiles = (root) => {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  if (status !== 0) return undefined;
  const paths = stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  return new Map(
    paths
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [
        path,
        createHash("sha256")
          .update(readFileSync(join(root, path)))
          .digest("base64url"),
      ]),
  );
};

/**
 * The files that a check of single files has to read, because their content is not one that it found clean before.
 * @param {string} root folder of the checkout
 * @param {string} cache where clean contents are stored, relative to the root
 * @param {string} rules changes whenever the check itself does
 * @returns {{changed: string[], remember: () => void} | undefined} `remember` stores all files as clean; undefined
 *   without git
 */
export const openCleanFiles = (root, cache, rules) => {
  const now = hashFiles(root);
  if (now === undefined) return undefined;
  const path = join(root, cache);
  /** @type {{rules?: string, files?: Record<string, string>}} */
  const stored = JSON.parse(readText(path) || "{}");
  const clean = stored.rules === rules ? (stored.files ?? {}) : {};
  return {
    changed: [...now].filter(([file, hash]) => clean[file] !== hash).map(([file]) => file),
    remember: () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ rules, files: Object.fromEntries(now) }));
    },
  };
};
