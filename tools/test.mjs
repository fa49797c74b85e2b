// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { build } from "./build.mjs";
import { check } from "./check.mjs";
import { install } from "./install.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { readText } from "./lib/fingerprint.mjs";
import { listRepinned } from "./lib/locked-packages.mjs";
import { findMariadb } from "./lib/mariadb.mjs";
import { findNginx } from "./lib/nginx.mjs";
import { findPgbouncer } from "./lib/pgbouncer.mjs";
import { withPostgres } from "./lib/postgres.mjs";
import { findPrometheus } from "./lib/prometheus.mjs";
import { findRedis } from "./lib/redis.mjs";
import { ROOT } from "./lib/root.mjs";
import { packageProgram, runCommand } from "./lib/run-command.mjs";
import { addResults, formatCount, formatFailures, readReport } from "./lib/test-report.mjs";

/** A lock whose packages an installation replaces is not the lock that was reviewed. */
const installFromLock = async () => {
  const readLock = () => JSON.parse(readText(join(ROOT, "package-lock.json")));
  const before = readLock();
  await install();
  const repinned = listRepinned(before, readLock());
  if (repinned.length > 0) {
    throw new Failure(
      `npm install changed package-lock.json: commit the lock that belongs to the manifests.\n${repinned.join("\n")}`,
    );
  }
};

// Generators try a part of their cases here, and all of them every night (testkit/seeds.ts).
process.env.TEST_CASES ??= "some";

/**
 * Runs the tests of one project of vitest.config.ts.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} more what its tests find in their environment
 */
const runTests = async (project, more) => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-test-"));
  const file = join(folder, "report.json");
  try {
    const args = [
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
      // The projects share most files: what one compiled, the others read.
      "--experimental.fsModuleCache",
    ];
    const result = await runCommand(process.execPath, [packageProgram("vitest/vitest.mjs"), ...args], {
      env: { ...process.env, ...more },
      isShown: true,
    });
    return readReport(file, result.status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await runTool(async () => {
  /** @type {import("./lib/test-report.mjs").TestResult} */
  let result = { passed: 0, failures: [], skipped: 0 };
  try {
    await installFromLock();
    result = await check();
    await build();
    const redis = await findRedis();
    const prometheus = await findPrometheus();
    const pgbouncer = await findPgbouncer();
    result = addResults(result, await runTests("redis", { REDIS_SERVER_PATH: redis }));
    const onPostgres = await withPostgres(async (programs) => {
      const env = {
        POSTGRES_BIN: programs,
        PGBOUNCER_PATH: pgbouncer,
        REDIS_SERVER_PATH: redis,
        PROMETHEUS_PATH: prometheus,
      };
      let counted = await runTests("postgres", env);
      for (const project of ["nodes", "e2e on PostgreSQL"])
        counted = addResults(counted, await runTests(project, env));
      const mariadb = await findMariadb();
      counted = addResults(counted, await runTests("import", { ...env, MARIADBD_PATH: mariadb }));
      return counted;
    });
    result = addResults(result, onPostgres);
    const env = {
      CHROMIUM_PATH: await findChromium(),
      PROMETHEUS_PATH: prometheus,
      NGINX_PATH: await findNginx(),
    };
    result = addResults(result, await runTests("e2e", env));
  } catch (error) {
    // A step that did not succeed (the build) is a failure, so that the last line says what the status says.
    result = addResults(result, {
      passed: 0,
      failures: [error instanceof Failure ? error.message : inspect(error)],
      skipped: 0,
    });
  }
  process.exitCode = result.failures.length > 0 ? 1 : 0;
  if (result.failures.length > 0) console.log(formatFailures(result));
  console.log(formatCount(result));
});
