// @ts-check
const { inject } = await import("vitest");

/* Runs before the modules are loaded: the thread is kept, and the mutant of the last run must not be in what it loads. */

const given = /** @type {(key: string) => unknown} */ (inject);
const stryker = Reflect.get(globalThis, "__stryker__");
if (given("mutantActivation") !== "static") stryker.activeMutant = undefined;
