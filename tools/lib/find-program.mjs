// @ts-check
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";
import { runCommand } from "./run-command.mjs";

/** @param {string} path */
const isRunnable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** @param {Program} program */
const find = ({ names, places = [] }) => {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter).filter(Boolean),
    "/usr/bin",
    "/usr/local/bin",
  ];
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places].find(
    isRunnable,
  );
};

/** @param {Program} program */
const install = async ({ installing, packages, otherPackages = [], env: more }) => {
  if (process.getuid?.() !== 0) return false;
  console.log(installing);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", ...more };
  await runCommand("apt-get", ["update"], { env });
  for (const names of [packages, otherPackages]) {
    if (names.length === 0) continue;
    const args = ["install", "-y", "--no-install-recommends", ...names];
    if ((await runCommand("apt-get", args, { env })).status === 0) return true;
  }
  return false;
};

/**
 * A program that tests need.
 * @typedef {object} Program
 * @property {string} variable names its path in the environment.
 * @property {string[]} names under which it stands on the path.
 * @property {string[]} [places] where else it may stand.
 * @property {string[]} packages of Debian that bring it.
 * @property {string[]} [otherPackages] those that do where the first ones are not to be had.
 * @property {Record<string, string>} [env] what installing it needs in the environment.
 * @property {string} installing says that it is installed now.
 * @property {string} missing says what needs it, and how to get it.
 */

/**
 * The program that its variable names, else one on the path, else (as root on Debian) one installed now.
 * @param {Program} program
 * @returns {Promise<string>}
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findProgram = async (program) => {
  const named = process.env[program.variable];
  if (named) {
    if (isRunnable(named)) return named;
    throw new Failure(`${program.variable} names ${named}, which cannot be run.`);
  }
  const found = find(program) ?? ((await install(program)) ? find(program) : undefined);
  if (found === undefined) throw new Failure(program.missing);
  return found;
};
