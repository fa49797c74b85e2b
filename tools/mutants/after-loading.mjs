// @ts-check
const { afterEach, beforeEach, inject } = await import("vitest");

/* Runs once the modules are loaded, before the tests of a file: what ran until now belongs to none of them. */

const given = /** @type {(key: string) => unknown} */ (inject);
const stryker = Reflect.get(globalThis, "__stryker__");
stryker.loaded ??= Object.keys(stryker.mutantCoverage?.static ?? {});

// One failure is enough. (Vitest's own way to stop there is a message between threads, which may reach the next run.)
const run = Number(given("mutantRun"));
if (stryker.run !== run) Object.assign(stryker, { run, hasFailed: false });
beforeEach(({ task, skip }) => {
  Object.assign(task.file.meta, { loaded: stryker.loaded });
  if (run > 0 && stryker.hasFailed) skip();
});
afterEach(({ task }) => {
  stryker.hasFailed ||= task.result?.state === "fail";
});
