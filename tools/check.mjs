// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { ROOMS } from "./lib/rooms.mjs";
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
 * Everything but the tests.
 * @param {boolean} isQuick what was learnt of files at the last run holds where they are the same
 * @returns {Step[]}
 */
const steps = (isQuick) => [
  { name: "types", program: TSC, args: typeArgs(".", isQuick) },
  { name: "types of contract", program: TSC, args: typeArgs("contract", isQuick) },
  { name: "types of console", program: TSC, args: typeArgs("console", isQuick) },
  {
    name: "format and lint",
    program: packageProgram("@biomejs/biome/bin/biome"),
    args: ["ci", "--colors=off", "."],
  },
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
      // What was compiled for the last run is read, not compiled again, where a file is the same.
      ...(isQuick ? ["--experimental.fsModuleCache"] : []),
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
  const failures = [];
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
