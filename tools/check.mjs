// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./install.mjs";
import { openCleanFiles } from "./lib/clean-files.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { fingerprintContents } from "./lib/fingerprint.mjs";
import { ROOMS } from "./lib/rooms.mjs";
import { ROOT } from "./lib/root.mjs";
import { packageProgram, runCommand } from "./lib/run-command.mjs";
import { formatCount, formatFailures, readReport } from "./lib/test-report.mjs";

/**
 * @typedef {{name: string, program: string, args: string[]}} Step
 * @typedef {import("./lib/test-report.mjs").TestResult} TestResult
 */

const TSC = packageProgram("typescript/bin/tsc");

/** Where the steps keep what they learnt of files, for as long as these are the same. */
const CACHE = "node_modules/.cache";

/**
 * @param {string} project folder of its tsconfig.json
 * @param {boolean} isQuick
 */
const typeArgs = (project, isQuick) => [
  ...["-p", project],
  ...(isQuick
    ? [
        "--incremental",
        "--tsBuildInfoFile",
        `${CACHE}/types/${project === "." ? "all" : project}.tsbuildinfo`,
      ]
    : []),
];

/**
 * Everything but format, lint and the tests.
 * @param {boolean} isQuick what was learnt of files at the last run holds where they are the same
 * @returns {Step[]}
 */
const steps = (isQuick) => [
  { name: "types", program: TSC, args: typeArgs(".", isQuick) },
  { name: "types of contract", program: TSC, args: typeArgs("contract", isQuick) },
  { name: "types of console", program: TSC, args: typeArgs("console", isQuick) },
  {
    name: "import rules",
    program: packageProgram("dependency-cruiser/bin/dependency-cruise.mjs"),
    args: [
      ...["--config", ".dependency-cruiser.mjs", "--output-type", "err-long"],
      ...["--cache", `${CACHE}/dependency-cruiser`, "--cache-strategy", "content"],
      ...[...ROOMS, "tools"],
    ],
  },
  {
    name: "dead code",
    program: packageProgram("knip/bin/knip.js"),
    args: ["--no-progress", ...(isQuick ? ["--cache", "--cache-location", `${CACHE}/knip`] : [])],
  },
];

/**
 * @param {string} name
 * @param {import("./lib/run-command.mjs").CommandResult} result
 * @param {string} [detail]
 */
const report = (name, { status, output, ms }, detail = "") => {
  if (status !== 0) console.log(`\n${output.trim()}\n`);
  console.log(
    `${status === 0 ? "ok    " : "FAILED"} ${name.padEnd(20)} ${(ms / 1000).toFixed(1).padStart(5)} s${detail}`,
  );
};

/** More files than a command line may name are checked as a whole. */
const MAX_NAMED_FILES = 1000;

/**
 * Formats and lints: all files, or those that differ from the last clean run, because no rule reads a second file.
 * @param {boolean} isQuick
 * @returns {Promise<boolean>} whether all is clean
 */
const lint = async (isQuick) => {
  const rules = fingerprintContents(["biome.json", "node_modules/@biomejs/biome/package.json"]);
  const files = isQuick ? openCleanFiles(ROOT, `${CACHE}/biome.json`, rules) : undefined;
  const isWhole = files === undefined || files.changed.length > MAX_NAMED_FILES;
  const paths = isWhole ? ["."] : files.changed;
  const biome = packageProgram("@biomejs/biome/bin/biome");
  const args = ["ci", "--colors=off", "--no-errors-on-unmatched", ...paths];
  const result =
    paths.length > 0
      ? await runCommand(process.execPath, [biome, ...args])
      : { status: 0, output: "", ms: 0 };
  report("format and lint", result);
  if (result.status === 0) files?.remember();
  return result.status === 0;
};

/**
 * The unit tests, with their count.
 * @param {boolean} isQuick generators try a part of their cases (testkit/seeds.ts)
 */
const runUnitTests = async (isQuick) => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-check-"));
  const file = join(folder, "unit.json");
  try {
    const args = [
      "run",
      "--project",
      "unit*",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
      // What was compiled for another run or project is read, not compiled again, where a file is the same.
      "--experimental.fsModuleCache",
    ];
    const env = isQuick ? { ...process.env, TEST_CASES: "few" } : process.env;
    const result = await runCommand(process.execPath, [packageProgram("vitest/vitest.mjs"), ...args], {
      env,
    });
    const tests = readReport(file, result.status);
    report("unit tests", result, `  ${formatCount(tests)}`);
    return tests;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Everything that needs no built product: the tests, and beside them the other steps, one after another.
 * @param {{isQuick?: boolean}} [options] whether generators try a part of their cases only, and caches are believed
 * @returns {Promise<TestResult>} a failed step (types, lint) is a failure, as a failed test is.
 */
export const check = async ({ isQuick = false } = {}) => {
  const running = runUnitTests(isQuick);
  /** @type {string[]} */
  const failures = (await lint(isQuick)) ? [] : ["format and lint"];
  for (const { name, program, args } of steps(isQuick)) {
    const result = await runCommand(process.execPath, [program, ...args]);
    report(name, result);
    if (result.status !== 0) failures.push(name);
  }
  const tests = await running;
  return { ...tests, failures: [...failures, ...tests.failures] };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    await install();
    const startedAt = performance.now();
    const result = await check({ isQuick: true });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (result.failures.length > 0) throw new Failure(`${formatFailures(result)}\nNot clean (${seconds} s).`);
    console.log(`All clean (${seconds} s).`);
  });
}
