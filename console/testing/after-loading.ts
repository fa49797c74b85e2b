import { afterEach, beforeEach, inject } from "vitest";

/*
 * Runs for the console's mutants (docs/reference/mutants.md) once the modules are loaded, before the tests of a file: what
 * ran until now belongs to none of them.
 */

declare module "vitest" {
  interface ProvidedContext {
    /** Which run of tests this is, from 1; 0 for the one without a mutant. */
    mutantRun: number;
    /** "static" where the mutant runs while modules are loaded. */
    mutantActivation: string;
  }
}

/** What the changed files know of mutants, and what is kept beside it from file to file. */
interface MutantState {
  /** How often each mutant was met outside of tests, by its id. */
  mutantCoverage?: { static: Record<string, number> };
  /** The mutants that run while modules are loaded. */
  loaded?: string[];
  /** The newest run, and whether a test of it has failed. */
  run?: number;
  hasFailed?: boolean;
}

const stryker: MutantState = Reflect.get(globalThis, "__stryker__");
stryker.loaded ??= Object.keys(stryker.mutantCoverage?.static ?? {});

// One failure is enough. (Vitest's own way to stop there is a message between threads, which may reach the next run.)
const run = inject("mutantRun");
if (stryker.run !== run) Object.assign(stryker, { run, hasFailed: false });
beforeEach(({ task, skip }) => {
  Object.assign(task.file.meta, { loaded: stryker.loaded });
  if (run > 0 && stryker.hasFailed) skip();
});
afterEach(({ task }) => {
  stryker.hasFailed ||= task.result?.state === "fail";
});
