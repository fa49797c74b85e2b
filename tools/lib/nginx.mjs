// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The nginx that stands before the gateway in the tests.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findNginx = () =>
  findProgram({
    variable: "NGINX_PATH",
    names: ["nginx"],
    places: ["/usr/sbin/nginx", "/usr/local/sbin/nginx"],
    packages: ["nginx"],
    // In this run level Debian does not start the service that it installs.
    env: { RUNLEVEL: "1" },
    installing: "No nginx on this machine: installing Debian's …",
    missing:
      "The test of idle connections needs nginx: install it (on Debian or Ubuntu: apt-get install nginx) or name its program with NGINX_PATH.",
  });
