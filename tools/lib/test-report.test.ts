import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "./root.mjs";
import { addResults, formatCount, formatFailures, readReport } from "./test-report.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-report-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const readOf = (report: object, status: number) => {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify(report));
  return readReport(path, status);
};

const PASSED = { status: "passed", fullName: "adds" };
const FAILED = {
  status: "failed",
  fullName: "subtracts",
  failureMessages: ["\u001b[31mAssertionError\u001b[39m: expected 1\n\n    at a\n"],
};
const fileOf = (...tests: object[]) => ({
  name: join(ROOT, "server/sums.test.ts"),
  status: tests.includes(FAILED) ? "failed" : "passed",
  assertionResults: tests,
});

describe("the report of a test run", () => {
  it("names each failed test by its file and title, with the first lines of the message", () => {
    const result = readOf(
      { testResults: [fileOf(PASSED, FAILED, { status: "pending", fullName: "later" })] },
      1,
    );

    expect(formatFailures(result)).toBe(
      "FAILED server/sums.test.ts > subtracts\n    AssertionError: expected 1\n        at a",
    );
    expect(formatCount(result)).toBe("1 passed, 1 failed, 1 skipped");
  });

  it("bounds the lines of a message", () => {
    const message = Array.from({ length: 50 }, () => "x".repeat(1000)).join("\n");
    const result = readOf({ testResults: [fileOf({ ...FAILED, failureMessages: [message] })] }, 1);

    expect(formatFailures(result).split("\n")).toHaveLength(9);
    expect(formatFailures(result).length).toBeLessThan(3000);
  });

  it("counts a file that does not load, a run without a report, and an error after the last test", () => {
    const broken = { ...fileOf(), status: "failed", message: "SyntaxError" };
    expect(readOf({ testResults: [broken] }, 1).failures).toEqual(["server/sums.test.ts\n    SyntaxError"]);
    expect(readOf({}, 0).failures).toHaveLength(1);
    expect(readReport(join(folder, "missing.json"), 1).failures).toHaveLength(1);
    expect(readOf({ testResults: [fileOf(PASSED)] }, 1).failures).toHaveLength(1);
    expect(readOf({ testResults: [fileOf(PASSED)] }, 0).failures).toEqual([]);
  });

  it("keeps the failures of every run", () => {
    const failed = readOf({ testResults: [fileOf(PASSED, FAILED)] }, 1);
    expect(formatCount(addResults(failed, failed))).toBe("2 passed, 2 failed");
  });
});
