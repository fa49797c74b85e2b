// @ts-check
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { giveUpThread, keptPool, loadAnew } from "./kept-worker.mjs";
import { loadStryker } from "./stryker.mjs";

const { VitestTestRunner } = await loadStryker("vitest-runner/dist/src/vitest-test-runner.js");
const { strykerValidationSchema: schema } = await loadStryker("vitest-runner/dist/src/index.js");
const { commonTokens, tokens } = await loadStryker("api/dist/src/plugin/index.js");

/** The ids of the mutants that run while modules are loaded, for the processes that did not see the tests without a mutant. */
const LOADED_FILE = "mutants-of-loading.json";

/** The modules of the console, in the changed copy of the project. */
const modules = () =>
  readdirSync("console", { recursive: true, encoding: "utf8" })
    .filter((file) => /[.]tsx?$/.test(file))
    .map((file) => join(process.cwd(), "console", file));

/**
 * Which mutants a changed file holds.
 * @param {string} file
 */
const idsOf = (file) =>
  [...readFileSync(file, "utf8").matchAll(/stryMutAct_\w+\("(\d+)"\)/g)].map(([, id]) => String(id));

/**
 * Whether a test of this file, or of a group in it, has passed.
 * @param {any} task
 * @returns {boolean}
 */
const hasPassed = (task) =>
  task.tasks === undefined ? task.result?.state === "pass" : task.tasks.some(hasPassed);

/**
 * Stryker's runner of Vitest, with a thread that is kept from mutant to mutant. A mutant of what runs while a module is
 * loaded (the columns of a list) has the modules of the console loaded again, and is tried on the tests that reach its file,
 * not on all. Where tests of its own folder reach a mutant, it is for them to notice it: they are the cheap ones.
 */
class KeptTestRunner extends VitestTestRunner {
  static inject = tokens(commonTokens.options, commonTokens.logger, "globalNamespace");

  runs = 0;

  async init() {
    // console/testing/after-loading.ts stops at the first failure.
    this.options = { ...this.options, disableBail: true };
    await super.init();
    this.ctx.provide("mutantRun", 0);
    for (const project of this.ctx.projects) {
      project.config.pool = keptPool.name;
      project.config.poolRunner = keptPool;
    }
  }

  /** @param {any} options */
  async dryRun(options) {
    const result = await super.dryRun(options);
    if (result.mutantCoverage === undefined) return result;
    const { perTest, static: outside } = result.mutantCoverage;
    /** @type {Set<string>} */
    const loaded = new Set(
      this.ctx.state.getFiles().flatMap((/** @type {any} */ file) => file.meta.loaded ?? []),
    );
    writeFileSync(LOADED_FILE, JSON.stringify([...loaded]));
    for (const file of options.files) {
      const ids = idsOf(file);
      const reaching = Object.values(perTest).filter((hits) => ids.some((id) => hits[id] > 0));
      for (const id of ids) {
        if (!(outside[id] > 0)) continue;
        if (!loaded.has(id) && reaching.some((hits) => hits[id] > 0)) continue;
        for (const hits of reaching) hits[id] = Math.max(hits[id] ?? 0, outside[id]);
      }
      const beside = `${relative(process.cwd(), dirname(file))}/`;
      for (const id of ids) {
        const tests = Object.keys(perTest).filter((test) => perTest[test][id] > 0);
        const near = tests.filter((test) => test.startsWith(beside));
        if (near.length > 0) for (const test of tests) if (!near.includes(test)) delete perTest[test][id];
      }
    }
    return { ...result, mutantCoverage: { perTest, static: {} } };
  }

  /** @param {any} options */
  async mutantRun(options) {
    this.loaded ??= new Set(JSON.parse(readFileSync(LOADED_FILE, "utf8")));
    const isLoading = this.loaded.has(options.activeMutant.id);
    const activated = { ...options, mutantActivation: isLoading ? "static" : "runtime" };
    if (isLoading) loadAnew(modules());
    let result = await this.tryMutant(activated);
    if (isLoading) loadAnew(modules());
    const isDoubtful =
      result.status === "killed" ? !(await this.passesUnchanged(options, result)) : !this.hasRun(options);
    if (isDoubtful) {
      // What an earlier mutant left behind spoils the tests: once more, in another thread.
      await giveUpThread();
      result = await this.tryMutant(activated);
      await giveUpThread();
    }
    if (result.status !== "killed" && result.status !== "survived") await giveUpThread();
    return result;
  }

  /**
   * Whether the test that noticed a mutant passes without it in the same thread.
   * @param {any} options
   * @param {any} result
   */
  async passesUnchanged(options, { killedBy }) {
    const activeMutant = { ...options.activeMutant, id: "none" };
    // Those after the first were skipped, and count as failed with their group.
    const testFilter = killedBy.slice(0, 1);
    const unchanged = { ...options, activeMutant, testFilter, mutantActivation: "runtime" };
    return (await this.tryMutant(unchanged)).status === "survived" && this.hasRun(unchanged);
  }

  /**
   * Whether something has run in each file of the tests that were meant to.
   * @param {any} options
   */
  hasRun({ testFilter }) {
    const meant = new Set(testFilter.map((/** @type {string} */ test) => test.split("#")[0]));
    return this.ctx.state.getFiles().filter(hasPassed).length >= meant.size;
  }

  /** @param {any} options */
  async tryMutant(options) {
    this.ctx.state.errorsSet.clear();
    this.ctx.provide("mutantRun", ++this.runs);
    const result = await super.mutantRun(options);
    const broken = this.ctx.state
      .getFiles()
      .find((/** @type {any} */ file) => file.result?.errors?.length > 0);
    if (result.status !== "survived" || broken === undefined) return result;
    // The modules could not even be loaded.
    const failureMessage = broken.result.errors[0].message;
    return { status: "killed", killedBy: options.testFilter.slice(0, 1), failureMessage, nrOfTests: 1 };
  }

  async dispose() {
    await giveUpThread();
    await super.dispose();
  }
}

/** The settings are those of Stryker's runner. */
export const strykerValidationSchema = schema;

/** Stryker's plugin; its name is what testRunner says. */
export const strykerPlugins = [
  {
    kind: "TestRunner",
    name: "kept",
    factory: Object.assign(
      (/** @type {any} */ injector) =>
        injector.provideValue("globalNamespace", "__stryker__").injectClass(KeptTestRunner),
      { inject: tokens(commonTokens.injector) },
    ),
  },
];
