// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The program of a Redis (or Valkey) server for the tests of what several nodes count together.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findRedis = () =>
  findProgram({
    variable: "REDIS_SERVER_PATH",
    names: ["redis-server", "valkey-server"],
    packages: ["redis-server"],
    // In this run level Debian does not start the service that it installs: the tests start a server of their own.
    env: { RUNLEVEL: "1" },
    installing: "No Redis server on this machine: installing Debian's for the tests …",
    missing:
      "The tests of several nodes need a Redis server: install it (on Debian or Ubuntu: apt-get install redis-server) or name its program with REDIS_SERVER_PATH.",
  });
