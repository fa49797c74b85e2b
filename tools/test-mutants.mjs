// @ts-check
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { install } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { ROOT } from "./lib/root.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { decided } from "./mutants/stryker-plugins.mjs";

/*
 * Tests the tests of the console: puts small faults (mutants) into its lists, forms, guards and actions, one at a time,
 * and runs the unit and component tests that reach each. A fault that no test notices is printed with its place.
 *
 * The faults are StrykerJS's (Apache-2.0), which is fetched at first use: nobody has to install it who does not measure.
 */

/** The newest that runs on Node 20. */
const STRYKER_VERSION = "9.6.1";
const FOLDER = join(ROOT, "node_modules/.cache/tollgate-mutants", `stryker-${STRYKER_VERSION}`);
const CORE = join(FOLDER, "node_modules/@stryker-mutator/core/dist/src/index.js");

/** The share of mutants, in percent, that the tests have to notice. */
const BAR = 85;
/** What is not decided after that many minutes is left out; --minutes says another number. */
const MINUTES = 60;

/** Where the changed copy of the project stands meanwhile. */
const WORK = "dist/.mutants";

/** What makes a file of the console one of its lists, forms, guards and actions. */
const KINDS = {
  lists:
    /(-list-page|-state|-marks|-cells|balance-text|\/lib\/(use-list|list-view|list-search|growing-list))[.]tsx?$/,
  forms: /(-form|-form-page|-user-page|-self-page|option-changes|bound-accounts|use-human-check)[.]tsx?$/,
  guards: /\/(app\/(navigation|setting-page)|lib\/session)[.]tsx?$/,
  actions: /-actions[.]tsx$/,
};

const mutatedFiles = () =>
  readdirSync(join(ROOT, "console"), { recursive: true, encoding: "utf8" })
    .map((file) => `console/${file.replaceAll("\\", "/")}`)
    .filter((file) => !file.includes(".test.") && Object.values(KINDS).some((kind) => kind.test(file)))
    .sort();

const fetchStryker = async () => {
  if (existsSync(CORE)) return;
  console.log(`Fetching StrykerJS ${STRYKER_VERSION} …`);
  mkdirSync(FOLDER, { recursive: true });
  const packages = ["core", "vitest-runner"].map((name) => [`@stryker-mutator/${name}`, STRYKER_VERSION]);
  writeFileSync(
    join(FOLDER, "package.json"),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(packages) }),
  );
  const result = await runCommand("npm", [
    "install",
    "--prefix",
    FOLDER,
    "--ignore-scripts",
    // Vitest is the project's own, further up.
    "--legacy-peer-deps",
    "--no-audit",
    "--no-fund",
    "--silent",
  ]);
  if (result.status === 0 && existsSync(CORE)) return;
  // Half an installation must not pass for a whole one the next time.
  rmSync(FOLDER, { recursive: true, force: true });
  throw new Failure(`${result.output}\nStrykerJS could not be fetched from the package registry.`);
};

/**
 * Runs the mutants of some files.
 * @param {readonly string[]} files relative to the project, or patterns of such
 */
const runMutants = async (files) => {
  const { Stryker } = await import(pathToFileURL(CORE).href);
  return new Stryker({
    mutate: files,
    testRunner: "vitest",
    plugins: [
      "@stryker-mutator/vitest-runner",
      fileURLToPath(import.meta.resolve("./mutants/stryker-plugins.mjs")),
    ],
    ignorers: ["looks"],
    vitest: { configFile: fileURLToPath(import.meta.resolve("./mutants/vitest.config.mjs")) },
    coverageAnalysis: "perTest",
    concurrency: 2,
    timeoutMS: 15_000,
    // Texts are addresses of sentences and classes; what is said is another test's concern.
    mutator: { excludedMutations: ["StringLiteral"] },
    tempDirName: WORK,
    cleanTempDir: "always",
    ignorePatterns: ["dist", "data", "docs", "/bench", "/e2e", "/server", "/relay", "/storage"],
    // The project's own TypeScript has no interface for programs; nothing needs to be rewritten anyway.
    tsconfigFile: "none.json",
    reporters: ["progress-append-only", "decided"],
    allowConsoleColors: false,
    fileLogLevel: "off",
    logLevel: "warn",
  }).runMutationTest();
};

await runTool(async () => {
  const { values } = parseArgs({ options: { files: { type: "string" }, minutes: { type: "string" } } });
  await install();
  await fetchStryker();
  const files = values.files?.split(",") ?? mutatedFiles();
  process.chdir(ROOT);
  const minutes = Number(values.minutes ?? MINUTES);
  const clock = new Promise((resolve) => setTimeout(resolve, minutes * 60_000).unref());
  const isDone = await Promise.race([runMutants(files).then(() => true), clock.then(() => false)]);
  const mutants = [...decided];
  if (!isDone) {
    console.log(`Not done after ${minutes} minutes: this is what was decided by then.`);
    rmSync(join(ROOT, WORK), { recursive: true, force: true });
  }

  /** @param {readonly string[]} statuses */
  const having = (...statuses) => mutants.filter(({ status }) => statuses.includes(status));
  const survivors = having("Survived", "NoCoverage");
  for (const { fileName, location, mutatorName, replacement = "", status } of survivors) {
    const { line, column } = location.start;
    const place = `${relative(ROOT, fileName)}:${line}:${column}`;
    const text = replacement.replaceAll(/\s+/g, " ").slice(0, 70);
    console.log(
      `${place}  ${mutatorName} → ${text}${status === "NoCoverage" ? "  (no test comes here)" : ""}`,
    );
  }
  const killed = having("Killed", "Timeout").length;
  const all = killed + survivors.length;
  if (all === 0) throw new Failure("There is nothing to change in these files.");
  const share = (killed / all) * 100;
  const summary = `${killed} of ${all} mutants noticed: ${share.toFixed(1)} % (bar ${BAR} %).`;
  if (!isDone) throw new Failure(`${summary} The others are unknown: narrow it with --files.`);
  if (share < BAR) throw new Failure(summary);
  console.log(summary);
});
