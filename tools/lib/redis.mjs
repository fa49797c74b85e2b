// @ts-check
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";
import { runCommand } from "./run-command.mjs";

const NAMES = ["redis-server", "valkey-server"];
const HINT =
  "install it (on Debian or Ubuntu: apt-get install redis-server) or name its program with REDIS_SERVER_PATH";

/** @param {string} path */
const isRunnable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const find = () => {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter).filter(Boolean),
    "/usr/bin",
    "/usr/local/bin",
  ];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isRunnable);
};

const install = async () => {
  if (process.getuid?.() !== 0) return false;
  console.log("No Redis server on this machine: installing Debian's for the tests …");
  // In this run level Debian does not start the service that it installs: the tests start a server of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  await runCommand("apt-get", ["update"], { env });
  const args = ["install", "-y", "--no-install-recommends", "redis-server"];
  const result = await runCommand("apt-get", args, { env });
  return result.status === 0;
};

/**
 * The program of a Redis (or Valkey) server for the tests of what several nodes count together: the one that
 * REDIS_SERVER_PATH names, else one on the path, else (as root on Debian) one installed now.
 * @returns {Promise<string>}
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findRedis = async () => {
  const named = process.env.REDIS_SERVER_PATH;
  if (named) {
    if (isRunnable(named)) return named;
    throw new Failure(`REDIS_SERVER_PATH names ${named}, which cannot be run.`);
  }
  const found = find() ?? ((await install()) ? find() : undefined);
  if (found === undefined) throw new Failure(`The tests of several nodes need a Redis server: ${HINT}.`);
  return found;
};
