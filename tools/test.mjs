// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import { check } from "./check.mjs";
import { install } from "./install.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { fingerprintContents } from "./lib/fingerprint.mjs";
import { packageProgram, runCommand } from "./lib/run-command.mjs";
import { addCounts, countTests, formatCount } from "./lib/test-report.mjs";

/** A lock that an installation rewrites is not the lock that was reviewed. */
const installFromLock = async () => {
  const before = fingerprintContents(["package-lock.json"]);
  await install();
  if (fingerprintContents(["package-lock.json"]) !== before) {
    throw new Failure(
      "npm install changed package-lock.json: commit the lock that belongs to the manifests.",
    );
  }
};

/** @param {string} chromium */
const runEndToEndTests = async (chromium) => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-test-"));
  const file = join(folder, "e2e.json");
  try {
    const args = [
      "run",
      "--project",
      "e2e",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ];
    const result = await runCommand(process.execPath, [packageProgram("vitest/vitest.mjs"), ...args], {
      env: { ...process.env, CHROMIUM_PATH: chromium },
      isShown: true,
    });
    return countTests(file, result.status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await runTool(async () => {
  let problems = 0;
  let count = { passed: 0, failed: 0, skipped: 0 };
  try {
    await installFromLock();
    const checked = await check();
    problems += checked.problems;
    count = checked.tests;
    await build();
    count = addCounts(count, await runEndToEndTests(await findChromium()));
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    problems += 1;
  }
  // A failed step that is no test (types, lint, the build) counts as a failure, so that the line says what the
  // status says.
  count.failed += problems;
  process.exitCode = count.failed > 0 ? 1 : 0;
  console.log(formatCount(count));
});
