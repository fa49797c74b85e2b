// @ts-check
import { findProgram } from "./find-program.mjs";

/**
 * The Prometheus that scrapes the gateway in the tests; `promtool` stands beside it.
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findPrometheus = () =>
  findProgram({
    variable: "PROMETHEUS_PATH",
    names: ["prometheus"],
    packages: ["prometheus"],
    // In this run level Debian does not start the service that it installs.
    env: { RUNLEVEL: "1" },
    installing: "No Prometheus on this machine: installing Debian's …",
    missing:
      "The test of /metrics needs Prometheus: install it (on Debian or Ubuntu: apt-get install prometheus) or name its program with PROMETHEUS_PATH.",
  });
