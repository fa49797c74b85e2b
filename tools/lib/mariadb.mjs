// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The program of a MariaDB server, for the tests that import from one.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findMariadb = () =>
  findProgram({
    variable: "MARIADBD_PATH",
    names: ["mariadbd"],
    places: ["/usr/sbin/mariadbd"],
    packages: ["mariadb-server"],
    // In this run level Debian does not start the service that it installs: tests start a server of their own.
    env: { RUNLEVEL: "1" },
    installing: "No MariaDB server on this machine: installing Debian's …",
    missing:
      "The tests of imports need a MariaDB server: install it (on Debian or Ubuntu: apt-get install mariadb-server) or name its program with MARIADBD_PATH.",
  });
