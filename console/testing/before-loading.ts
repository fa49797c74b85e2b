import { inject } from "vitest";

/*
 * Setup file for the console's mutants (docs/reference/mutants.md). It runs before the modules are loaded. The thread
 * is reused: the previous run's mutant must not be active in the modules loaded for this one.
 */

const stryker: unknown = Reflect.get(globalThis, "__stryker__");
if (typeof stryker === "object" && stryker !== null && inject("mutantActivation") !== "static") {
  Object.assign(stryker, { activeMutant: undefined });
}
