// @ts-check
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { install } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { ROOT } from "./lib/root.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { PLANTED, runPlanted } from "./mutants/planted.mjs";
import { loadStryker, STRYKER_FOLDER, STRYKER_VERSION } from "./mutants/stryker.mjs";
import { DECIDED_FILE, decided } from "./mutants/stryker-plugins.mjs";

/*
 * Tests the tests of the console: puts small faults (mutants) into its lists, forms, guards, actions and pages, one at a time,
 * and runs the unit and component tests that reach each. A fault that no test notices is printed with its place.
 *
 * The faults are StrykerJS's (Apache-2.0), which is fetched at first use: nobody has to install it who does not measure.
 */

/** Its own entry, by which an installation is known. */
const CORE = join(STRYKER_FOLDER, "node_modules/@stryker-mutator/core/dist/src/index.js");

/** The share of mutants, in percent, that the tests have to notice. */
const BAR = 85;
/** What is not decided after that many minutes is left out; --minutes says another number. */
const MINUTES = 60;

/** How many are tried at once, unless --concurrency says another number: they wait more than they compute. */
const CONCURRENCY = 2;

/** Where the changed copy of the project stands meanwhile. */
const WORK = "dist/.mutants";

/** What makes a file of the console one of its lists, forms, guards, actions and pages. */
const KINDS = {
  lists:
    /(-(list-page|state|marks|cells)[.]tsx|(balance-text|\/lib\/(use-list|list-view|list-search|growing-list))[.]ts)$/,
  forms: /(-form|-form-page|-user-page|-self-page|option-changes|bound-accounts|use-human-check)[.]tsx?$/,
  guards: /\/(app\/(navigation|setting-page)|lib\/session)[.]tsx?$/,
  actions: /-actions[.]tsx$/,
  pages: /-page[.]tsx$/,
};

const mutatedFiles = () =>
  readdirSync(join(ROOT, "console"), { recursive: true, encoding: "utf8" })
    .map((file) => `console/${file.replaceAll("\\", "/")}`)
    .filter((file) => !file.includes(".test.") && Object.values(KINDS).some((kind) => kind.test(file)))
    .sort();

const fetchStryker = async () => {
  if (existsSync(CORE)) return;
  console.log(`Fetching StrykerJS ${STRYKER_VERSION} …`);
  mkdirSync(STRYKER_FOLDER, { recursive: true });
  const packages = ["core", "vitest-runner"].map((name) => [`@stryker-mutator/${name}`, STRYKER_VERSION]);
  writeFileSync(
    join(STRYKER_FOLDER, "package.json"),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(packages) }),
  );
  const result = await runCommand("npm", [
    "install",
    "--prefix",
    STRYKER_FOLDER,
    "--ignore-scripts",
    // Vitest is the project's own, further up.
    "--legacy-peer-deps",
    "--no-audit",
    "--no-fund",
    "--silent",
  ]);
  if (result.status === 0 && existsSync(CORE)) return;
  // Half an installation must not pass for a whole one the next time.
  rmSync(STRYKER_FOLDER, { recursive: true, force: true });
  throw new Failure(`${result.output}\nStrykerJS could not be fetched from the package registry.`);
};

/**
 * Runs the mutants of some files.
 * @param {readonly string[]} files relative to the project, or patterns of such
 * @param {number} concurrency how many mutants are tried at the same time
 */
const runMutants = async (files, concurrency) => {
  const { Stryker } = await loadStryker("core/dist/src/index.js");
  return new Stryker({
    mutate: files,
    testRunner: "kept",
    plugins: [
      fileURLToPath(import.meta.resolve("./mutants/kept-test-runner.mjs")),
      fileURLToPath(import.meta.resolve("./mutants/stryker-plugins.mjs")),
    ],
    ignorers: ["looks"],
    vitest: { configFile: fileURLToPath(import.meta.resolve("./mutants/vitest.config.mjs")), related: false },
    coverageAnalysis: "perTest",
    concurrency,
    // What runs out of time counts as noticed: it must be the mutant that hangs, not the machine that is busy.
    timeoutMS: 60_000,
    // All tests that reach the files, in one thread, on a machine that may be busy.
    dryRunTimeoutMinutes: 30,
    timeoutFactor: 5,
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
  const { values } = parseArgs({
    options: {
      files: { type: "string" },
      minutes: { type: "string" },
      concurrency: { type: "string" },
      planted: { type: "boolean" },
    },
  });
  await install();
  if (values.planted) {
    const unnoticed = await runPlanted();
    if (unnoticed.length > 0) throw new Failure(`${unnoticed.length} of ${PLANTED.length} faults unnoticed.`);
    return;
  }
  await fetchStryker();
  const files = values.files?.split(",") ?? mutatedFiles();
  process.chdir(ROOT);
  rmSync(DECIDED_FILE, { force: true });
  const minutes = Number(values.minutes ?? MINUTES);
  const clock = new Promise((resolve) => setTimeout(resolve, minutes * 60_000).unref());
  const isDone = await Promise.race([
    runMutants(files, Number(values.concurrency ?? CONCURRENCY)).then(() => true),
    clock.then(() => false),
  ]);
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
  const counted = having("Killed", "Timeout", "Survived", "NoCoverage");
  const folderOf = (/** @type {{fileName: string}} */ { fileName }) => dirname(relative(ROOT, fileName));
  for (const folder of new Set(counted.map(folderOf))) {
    const some = counted.filter((mutant) => folderOf(mutant) === folder);
    const missed = some.filter((mutant) => survivors.includes(mutant)).length;
    const late = some.filter(({ status }) => status === "Timeout").length;
    console.log(
      `${folder}: ${some.length - missed} of ${some.length} noticed, ${late} of them by running out of time`,
    );
  }
  const broken = having("RuntimeError").length;
  if (broken > 0) console.log(`${broken} could not be tried, and are not counted.`);
  const all = counted.length;
  const killed = all - survivors.length;
  if (all === 0) throw new Failure("There is nothing to change in these files.");
  const share = (killed / all) * 100;
  const summary = `${killed} of ${all} mutants noticed: ${share.toFixed(1)} % (bar ${BAR} %).`;
  if (!isDone) throw new Failure(`${summary} The others are unknown: narrow it with --files.`);
  if (share < BAR) throw new Failure(summary);
  console.log(summary);
});
