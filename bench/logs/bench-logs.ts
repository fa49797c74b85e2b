import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgresIn } from "@tollgate/demo/postgres-server";
import { type SignedIn, startServer } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { cpuTicks, familyTicks, TICKS_PER_SECOND } from "../load/cpu-ticks";
import type { Verdict } from "../verdicts";
import { fillLog, type LogTableOptions } from "./fill-log";
import { createLogPages } from "./log-calls";
import { WORLD_OF_LISTS, WORLD_OF_LOGS } from "./log-world";
import { measureLists } from "./measure-lists";
import { measureRehearsal } from "./measure-rehearsal";

/*
 * Every page and total of the log over ten million lines: `npm run bench -- logs`, and `logs-postgres` on PostgreSQL.
 * `--rows N` sets another number, `--folder F` keeps the filled data folder there and reuses it. With `--lists` there
 * are also 10,000 channels and 50,000 users, and every list is measured instead of the log's totals (`npm run bench --
 * lists`, and `lists-postgres`). Reports its results to its parent process.
 */

const here = dirname(fileURLToPath(import.meta.url));
const serverFolder = join(here, "..", "server");
const TIMES = 7;

const valueAfter = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
};
const rows = Number(valueAfter("--rows") ?? 10_000_000);
const kept = valueAfter("--folder");
const folder = kept ?? mkdtempSync(join(tmpdir(), "tollgate-bench-logs-"));
const isPostgres = process.argv.includes("--postgres");
const isLists = process.argv.includes("--lists");
const now = Math.floor(Date.now() / 1000);

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const folderBytes = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Timed {
  firstMs: number;
  medianMs: number;
  /** The server's CPU time for one answer, on all its threads: the duration on an otherwise idle machine. */
  cpuMs: number;
}

const time = async (caller: SignedIn, ticks: () => number, paths: readonly string[]): Promise<Timed> => {
  const times: number[] = [];
  const before = ticks();
  for (let i = 0; i < TIMES; i += 1) {
    const startedAt = performance.now();
    const answers = await Promise.all(paths.map((path) => caller.api("GET", path)));
    times.push(performance.now() - startedAt);
    const refused = answers.find(({ body }) => body.success !== true);
    if (refused) throw new Error(`${paths.join(", ")}: ${refused.text}`);
  }
  const cpuMs = ((ticks() - before) * 1000) / TICKS_PER_SECOND / TIMES;
  return { firstMs: times[0] ?? 0, medianMs: median(times), cpuMs };
};

/** PostgreSQL's memory setting; all others are defaults. */
const POSTGRES_SETTINGS = { shared_buffers: "1GB" };
/** A hundred and ninety-eight days: as many parts of the tables. */
const POSTGRES_SPANS = 22;
const SQLITE_SPANS = 10;

interface OpenPlace {
  table: LogTableOptions;
  /** The table's size on the disk. */
  bytes(): number;
  /** CPU time of answering processes other than the product, in clock ticks. */
  ticks(): number;
  stop(): Promise<void>;
}

const openFolder = (): OpenPlace => ({
  table: { folder, env: {}, spans: SQLITE_SPANS },
  bytes: () => statSync(join(folder, "logs.sqlite")).size,
  ticks: () => 0,
  stop: async () => {},
});

const openDatabase = async (): Promise<OpenPlace> => {
  const data = join(folder, "postgres");
  const database = await startPostgresIn({
    data,
    folder: mkdtempSync(join(tmpdir(), "tollgate-bench-pg-")),
    settings: POSTGRES_SETTINGS,
  });
  return {
    table: {
      folder: join(folder, "data"),
      env: { DATABASE_URL: database.address(), MASTER_KEY: Buffer.alloc(32, 7).toString("base64") },
      spans: POSTGRES_SPANS,
    },
    bytes: () => folderBytes(join(data, "base")),
    ticks: () => familyTicks(database.pid()),
    stop: () => database.stop(),
  };
};

const { table, bytes, ticks, stop } = isPostgres ? await openDatabase() : openFolder();
await fillLog(table, rows, serverFolder, print, isLists ? WORLD_OF_LISTS : WORLD_OF_LOGS);
print(`The log takes ${(bytes() / 1e6).toFixed(0)} MB, ${(bytes() / rows).toFixed(0)} bytes a line.`);

const server = await startServer({
  dataDir: table.folder,
  main: join(serverFolder, "main.js"),
  env: table.env,
});
const pages = createLogPages(now);
const serverTicks = (): number => cpuTicks([server.pid]) + ticks();

let slowest = { name: "", ms: 0 };

/** Measures and prints. @returns how many are above the budget. */
const measure = async (root: SignedIn, title: string, isLong: boolean): Promise<number> => {
  let broken = 0;
  print(
    `\n${title.padEnd(46)} ${"first ms".padStart(9)} ${"median ms".padStart(10)} ${"CPU ms".padStart(8)}`,
  );
  for (const { name, paths } of pages.filter((page) => page.isLong === isLong)) {
    const { firstMs, medianMs, cpuMs } = await time(root, serverTicks, paths);
    const isAbove = !isLong && medianMs > budgets.adminPageMs;
    if (isAbove) broken += 1;
    if (!isLong && medianMs > slowest.ms) slowest = { name, ms: medianMs };
    print(
      `${name.padEnd(46)} ${firstMs.toFixed(1).padStart(9)} ${medianMs.toFixed(1).padStart(10)} ${cpuMs.toFixed(0).padStart(8)}${isAbove ? "  ABOVE THE BAR" : ""}`,
    );
  }
  return broken;
};

const onDatabase = isPostgres ? " on PostgreSQL" : "";

/** Every page and total of the log, and a rehearsal. */
const measureLog = async (): Promise<Verdict[]> => {
  const root = await server.signIn();
  const broken = await measure(root, "page or total", false);
  print(
    broken === 0
      ? `\nEvery one is below ${budgets.adminPageMs} ms.`
      : `\n${broken} are above ${budgets.adminPageMs} ms.`,
  );
  await measure(root, "every key told apart (no page does)", true);
  const rehearsal = await measureRehearsal(root, now);
  const { ms, lines, charged, rehearsed, unpriced } = rehearsal;
  print(
    `\nA rehearsal of unchanged prices over ${lines.toLocaleString("en")} lines took ${(ms / 1000).toFixed(1)} s; ` +
      `charged ${charged}, rehearsed ${rehearsed}; ${unpriced} lines could not be priced anew.`,
  );
  const isExact = charged === rehearsed && unpriced === 0;
  const ofRehearsal: Verdict = {
    what: `Rehearsal of prices over ${lines.toLocaleString("en")} log lines${onDatabase}${isExact ? "" : " (NOT EXACT)"}`,
    measured: isExact ? ms / 1000 : Number.POSITIVE_INFINITY,
    budget: budgets.rehearsalSeconds,
    unit: " s",
  };
  const verdict: Verdict = {
    what: `Slowest page or total of ${rows.toLocaleString("en")} log lines${onDatabase} (${slowest.name})`,
    measured: slowest.ms,
    budget: budgets.adminPageMs,
    unit: " ms",
  };
  return [verdict, ofRehearsal];
};

/** Every list. */
const measureAllLists = async (): Promise<Verdict[]> => {
  const { name, medianMs } = await measureLists(server, serverTicks, now);
  const what = `Slowest call of a list of 10,000 channels, 50,000 users, ${rows.toLocaleString("en")} log lines${onDatabase} (${name})`;
  return [{ what, measured: medianMs, budget: budgets.adminPageMs, unit: " ms" }];
};

for (const verdict of await (isLists ? measureAllLists() : measureLog()))
  await new Promise<void>((resolve) => {
    if (process.send) process.send(verdict, () => resolve());
    else resolve();
  });
await server.stop();
await stop();
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(0);
