// @ts-check
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { readText } from "./fingerprint.mjs";
import { ROOT } from "./root.mjs";

/**
 * How many tests ended how. A failure is a text: the test's file and title, and the first lines of its message.
 * @typedef {{passed: number, failures: readonly string[], skipped: number}} TestResult
 */

/** Lines of a message that are repeated: the error and the difference of short values. */
const MAX_MESSAGE_LINES = 8;
const MAX_LINE_CHARACTERS = 300;

/**
 * @param {string} name of the test or file
 * @param {string} [message]
 */
const describeFailure = (name, message = "") => {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(0, MAX_MESSAGE_LINES).map((line) => `    ${line.slice(0, MAX_LINE_CHARACTERS)}`);
  return [name, ...shown].join("\n");
};

/**
 * Reads a report of Vitest's JSON reporter. What fails outside a test (a file that does not load, an error after the
 * last test, no report at all) is one failure, so that a broken run never looks like a good one.
 * @param {string} path of the report
 * @param {number} status of the run
 * @returns {TestResult}
 */
export const readReport = (path, status) => {
  let passed = 0;
  let skipped = 0;
  /** @type {string[]} */
  const failures = [];
  /** @type {{testResults?: {name: string, status: string, message?: string, assertionResults: {status: string, fullName: string, failureMessages?: string[]}[]}[]}} */
  let report = {};
  try {
    report = JSON.parse(readText(path));
  } catch {
    // A failure below: a run that succeeded leaves a report.
  }
  for (const file of report.testResults ?? []) {
    const name = relative(ROOT, file.name);
    const failuresBefore = failures.length;
    for (const test of file.assertionResults) {
      if (test.status === "passed") passed += 1;
      else if (test.status === "failed")
        failures.push(describeFailure(`${name} > ${test.fullName}`, test.failureMessages?.[0]));
      else skipped += 1;
    }
    if (file.status === "failed" && failures.length === failuresBefore)
      failures.push(describeFailure(name, file.message));
  }
  if (report.testResults === undefined) failures.push("the run left no report");
  else if (failures.length === 0 && status !== 0)
    failures.push(`an error outside the tests (exit status ${status})`);
  return { passed, failures, skipped };
};

/**
 * @param {TestResult} a
 * @param {TestResult} b
 * @returns {TestResult}
 */
export const addResults = (a, b) => ({
  passed: a.passed + b.passed,
  failures: [...a.failures, ...b.failures],
  skipped: a.skipped + b.skipped,
});

/**
 * The failures one after another, for the end of a long output, of which often only the end is kept.
 * @param {TestResult} result
 */
export const formatFailures = ({ failures }) => failures.map((failure) => `FAILED ${failure}`).join("\n");

/**
 * The last line of a test run, for people and for machines.
 * @param {TestResult} result
 */
export const formatCount = ({ passed, failures, skipped }) =>
  `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
