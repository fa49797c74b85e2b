// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The program of the pooler PgBouncer, for the tests of nodes behind it.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findPgbouncer = () =>
  findProgram({
    variable: "PGBOUNCER_PATH",
    names: ["pgbouncer"],
    places: ["/usr/sbin/pgbouncer"],
    packages: ["pgbouncer"],
    // In this run level Debian does not start the service that it installs: tests start a pooler of their own.
    env: { RUNLEVEL: "1" },
    installing: "No PgBouncer on this machine: installing Debian's …",
    missing:
      "The tests of several nodes need PgBouncer: install it (on Debian or Ubuntu: apt-get install pgbouncer) or name its program with PGBOUNCER_PATH.",
  });
