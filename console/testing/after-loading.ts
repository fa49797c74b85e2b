import { afterEach, beforeEach, inject } from "vitest";

/*
 * Setup file for the console's mutants (docs/reference/mutants.md). It runs after the modules are loaded, before the
 * tests of a file: code that ran until now belongs to no test.
 */

declare module "vitest" {
  interface ProvidedContext {
    /** Number of this test run, from 1; 0 for the run without a mutant. */
    mutantRun: number;
    /** "static" if the mutant runs while modules are loaded. */
    mutantActivation: string;
  }
}

/** The changed files' state of mutants, and the values kept beside it across files. */
interface MutantState {
  /** Number of executions of each mutant outside tests, by its id. */
  mutantCoverage?: { static: Record<string, number> };
  /** The mutants that run while modules are loaded. */
  loaded?: string[];
  /** The newest run, and whether one of its tests has failed. */
  run?: number;
  hasFailed?: boolean;
}

const stryker: MutantState = Reflect.get(globalThis, "__stryker__");
stryker.loaded ??= Object.keys(stryker.mutantCoverage?.static ?? {});

// One failure is enough. (Vitest's own bail is a message between threads, which may arrive in the next run.)
const run = inject("mutantRun");
if (stryker.run !== run) Object.assign(stryker, { run, hasFailed: false });
beforeEach(({ task, skip }) => {
  Object.assign(task.file.meta, { loaded: stryker.loaded });
  if (run > 0 && stryker.hasFailed) skip();
});
afterEach(({ task }) => {
  stryker.hasFailed ||= task.result?.state === "fail";
});
