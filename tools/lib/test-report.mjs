// @ts-check
import { readText } from "./fingerprint.mjs";

/**
 * How many tests ended how.
 * @typedef {{passed: number, failed: number, skipped: number}} TestCount
 */

/**
 * Counts a report of Vitest's JSON reporter. What fails outside a test (a file that does not load, an error after the
 * last test, no report at all) counts as one failure, so that a broken run never looks like a good one.
 * @param {string} path of the report
 * @param {number} status of the run
 * @returns {TestCount}
 */
export const countTests = (path, status) => {
  const count = { passed: 0, failed: 0, skipped: 0 };
  /** @type {{testResults?: {status: string, assertionResults: {status: string}[]}[]}} */
  let report = {};
  try {
    report = JSON.parse(readText(path));
  } catch {
    // Counted below: a run that succeeded leaves a report.
  }
  for (const file of report.testResults ?? []) {
    const failedBefore = count.failed;
    for (const test of file.assertionResults) {
      if (test.status === "passed") count.passed += 1;
      else if (test.status === "failed") count.failed += 1;
      else count.skipped += 1;
    }
    if (file.status === "failed" && count.failed === failedBefore) count.failed += 1;
  }
  if (count.failed === 0 && (status !== 0 || report.testResults === undefined)) count.failed = 1;
  return count;
};

/**
 * @param {TestCount} a
 * @param {TestCount} b
 * @returns {TestCount}
 */
export const addCounts = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/**
 * The last line of a test run, for people and for machines.
 * @param {TestCount} count
 */
export const formatCount = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
