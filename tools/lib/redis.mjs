// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The program of a Redis (or Valkey) server for the tests of what several nodes count together, and for their demo.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findRedis = () =>
  findProgram({
    variable: "REDIS_SERVER_PATH",
    names: ["redis-server", "valkey-server"],
    packages: ["redis-server"],
    // In this run level Debian does not start the service that it installs: tests and demo start a server of their own.
    env: { RUNLEVEL: "1" },
    installing: "No Redis server on this machine: installing Debian's …",
    missing:
      "Several nodes need a Redis server, in their tests and in their demo: install it (on Debian or Ubuntu: apt-get install redis-server) or name its program with REDIS_SERVER_PATH.",
  });
