import { inject } from "vitest";

/*
 * Runs before the modules are loaded for the console's mutants (docs/reference/mutants.md). The thread is kept from mutant
 * to mutant: the one of the last run must not be in what is loaded for this one.
 */

const stryker: unknown = Reflect.get(globalThis, "__stryker__");
if (typeof stryker === "object" && stryker !== null && inject("mutantActivation") !== "static") {
  Object.assign(stryker, { activeMutant: undefined });
}
