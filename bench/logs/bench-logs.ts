import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addChannel, addToken, addUser } from "@tollgate/testkit/seed";
import { type SignedIn, startServer } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { cpuTicks, TICKS_PER_SECOND } from "../load/cpu-ticks";
import {
  CHANNELS,
  channelName,
  createRareUsage,
  createUsage,
  DAY_SECONDS,
  DAYS,
  MODELS,
  modelName,
  RARE_MODEL,
  SPAN_DAYS,
  SPANS,
  TOKEN_NAMES,
  USERS,
  userName,
} from "./log-world";

/*
 * Every page and total of the log over ten million lines: `npm run bench -- logs`. `--rows N` takes another number,
 * `--folder F` keeps the filled data folder there and uses it again.
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
const now = Math.floor(Date.now() / 1000);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const createWorld = async (): Promise<void> => {
  const server = await startServer({ dataDir: folder, main: join(serverFolder, "main.js") });
  const root = await server.signIn();
  const models = [...Array.from({ length: MODELS }, (_, i) => modelName(i)), RARE_MODEL].join(",");
  for (let i = 0; i < CHANNELS; i += 1)
    await addChannel(root, { name: channelName(i), base_url: "http://127.0.0.1:9", models });
  for (let i = 0; i < USERS; i += 1) {
    const user = await addUser(root, server.signIn, userName(i), { quota: 1_000_000_000_000 });
    for (const name of TOKEN_NAMES) await addToken(user, { name, unlimited_quota: true });
  }
  await server.stop();
};

/** Runs the seed program on these lines. */
const seed = async (lines: Iterable<string>, ...options: string[]): Promise<void> => {
  const seeding = spawn(process.execPath, [join(serverFolder, "seed.js"), folder, "-", ...options], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(seeding, "exit");
  let text = "";
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < 1_000_000) continue;
    if (!seeding.stdin.write(text)) await once(seeding.stdin, "drain");
    text = "";
  }
  seeding.stdin.end(text);
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error("the table could not be filled");
};

const fill = async (): Promise<void> => {
  const startedAt = performance.now();
  const start = now - (now % DAY_SECONDS) - (DAYS - 1) * DAY_SECONDS;
  await seed(createUsage(rows / SPANS, start), "--repeat", String(SPANS - 1), String(SPAN_DAYS));
  await seed(createRareUsage(start));
  say(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
};

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const month = `start_timestamp=${now - 30 * DAY_SECONDS}`;
const cut = `start_timestamp=${now - 40 * DAY_SECONDS - 1234}&end_timestamp=${now - 10 * DAY_SECONDS - 567}`;
const frequentUser = `username=${userName(0)}`;
const rareUser = `username=${userName(USERS - 1)}`;
const frequentModel = `model_name=${modelName(0)}`;
const commonKey = "token_name=default";

/** How many the console tells apart. */
const TOP = 6;
const CHINA = "offset_minutes=480";
const INDIA = "offset_minutes=330";

/** What the dashboard asks for at once (console/features/dashboard): its rankings, and the time before. */
const dashboardCalls = (days: number, clock: string, filter = ""): string[] => {
  const range = `start_timestamp=${now - days * DAY_SECONDS}`;
  const before = `start_timestamp=${now - 2 * days * DAY_SECONDS}&end_timestamp=${now - days * DAY_SECONDS - 1}`;
  const step = days > 3 ? "day" : "hour";
  return [
    ...["model", "token", "channel", "user"].map(
      (by) => `/api/usage?${range}&step=${step}&by=${by}&top=${TOP}&${clock}${filter}`,
    ),
    `/api/usage?${before}&step=day&by=none&${clock}${filter}`,
  ];
};

/** The log page: its lines, their total and the picture above them. */
const logCalls = (filter: string): string[] => [
  `/api/log/?p=0&${filter}`,
  `/api/log/stat?${filter}`,
  `/api/usage?${month}&step=day&by=none&${CHINA}&${filter}`,
];

/** Each with the calls that are made at once. */
const PAGES: readonly [name: string, paths: string | string[]][] = [
  ["first page", "/api/log/?p=0"],
  ["second page", "/api/log/?p=1"],
  ["page 100", "/api/log/?p=100"],
  ["page 10,000", "/api/log/?p=10000"],
  ["page 900,000", "/api/log/?p=900000"],
  ["type consume", "/api/log/?p=0&type=2"],
  ["type top-up", "/api/log/?p=0&type=1"],
  ["type manage", "/api/log/?p=0&type=3"],
  ["frequent model", `/api/log/?p=0&${frequentModel}`],
  ["frequent model, page 5,000", `/api/log/?p=5000&${frequentModel}`],
  ["rare model", `/api/log/?p=0&model_name=${RARE_MODEL}`],
  ["unknown model", "/api/log/?p=0&model_name=nothing"],
  ["frequent user", `/api/log/?p=0&${frequentUser}`],
  ["frequent user, page 5,000", `/api/log/?p=5000&${frequentUser}`],
  ["rare user", `/api/log/?p=0&${rareUser}`],
  ["rare user, page 20", `/api/log/?p=20&${rareUser}`],
  ["key name that all users have", `/api/log/?p=0&${commonKey}`],
  ["same, page 1,000", `/api/log/?p=1000&${commonKey}`],
  ["channel", `/api/log/?p=0&channel=${CHANNELS}`],
  ["rare user and rare model", `/api/log/?p=0&${rareUser}&model_name=${RARE_MODEL}`],
  ["rare user, channel, key", `/api/log/?p=0&${rareUser}&channel=12&token_name=server`],
  ["a month that is cut within hours", `/api/log/?p=0&${cut}`],
  ["same, page 1,000", `/api/log/?p=1000&${cut}`],
  ["same, rare model", `/api/log/?p=0&${cut}&model_name=${RARE_MODEL}`],
  ["search by type", "/api/log/search?keyword=2"],
  ["search by text", `/api/log/search?keyword=${encodeURIComponent("模型倍率 3.00")}`],
  ["search for a text that is nowhere", "/api/log/search?keyword=nowhere"],
  ["total", "/api/log/stat"],
  ["total of a month", `/api/log/stat?${month}`],
  ["total of a cut month", `/api/log/stat?${cut}`],
  ["total of a user", `/api/log/stat?${frequentUser}`],
  ["total of a user, cut", `/api/log/stat?${cut}&${frequentUser}`],
  ["total of a key name that all have", `/api/log/stat?${commonKey}`],
  ["total of a model", `/api/log/stat?model_name=${modelName(3)}`],
  ["total of a key name and a model", `/api/log/stat?${commonKey}&${frequentModel}`],
  ["total of a key name and a channel", `/api/log/stat?${commonKey}&channel=1`],
  ["total of a user and a model", `/api/log/stat?${frequentUser}&${frequentModel}`],
  ["total of a user, model and channel", `/api/log/stat?${frequentUser}&${frequentModel}&channel=1`],
  ["total of a key name, model and channel", `/api/log/stat?${commonKey}&${frequentModel}&channel=1`],
  ["usage of a month by day", `/api/usage?${month}&step=day`],
  ["usage of a month by hour", `/api/usage?${month}&step=hour`],
  ["usage of a month by model", `/api/usage?${month}&step=day&by=model&top=${TOP}`],
  ["usage of a month by channel", `/api/usage?${month}&step=day&by=channel&top=${TOP}`],
  ["usage of a month by user", `/api/usage?${month}&step=day&by=user&top=${TOP}`],
  ["usage of a month by key", `/api/usage?${month}&step=day&by=token&top=${TOP}`],
  ["usage of a month by user, top 100", `/api/usage?${month}&step=day&by=user&top=100`],
  ["usage of a day by user", `/api/usage?start_timestamp=${now - DAY_SECONDS}&step=hour&by=user&top=${TOP}`],
  ["usage of all time by day", "/api/usage?step=day"],
  ["usage of all time by user", `/api/usage?step=day&by=user&top=${TOP}`],
  ["log page of everything", logCalls("")],
  ["log page of a key name and a model", logCalls(`${commonKey}&${frequentModel}`)],
  ["dashboard, a day", dashboardCalls(1, CHINA)],
  ["dashboard, a week", dashboardCalls(7, CHINA)],
  ["dashboard, a month", dashboardCalls(30, CHINA)],
  ["dashboard, a month, UTC+5:30", dashboardCalls(30, INDIA)],
  ["dashboard, 90 days", dashboardCalls(90, CHINA)],
  ["dashboard, a month, one user", dashboardCalls(30, CHINA, `&${frequentUser}`)],
  ["dashboard, a month, one model", dashboardCalls(30, CHINA, `&${frequentModel}`)],
  ["dashboard, a month, one channel", dashboardCalls(30, CHINA, "&channel=1")],
  ["dashboard, a month, one key name", dashboardCalls(30, CHINA, `&${commonKey}`)],
];

/** Answers that no page asks for: every key told apart, thousands of points. Not measured by the bar. */
const LONG: typeof PAGES = [
  ["month by user, 9,000 points", `/api/usage?${month}&step=day&by=user`],
  ["month by key, 27,000 points", `/api/usage?${month}&step=day&by=token`],
  ["day by user, 7,000 points", `/api/usage?start_timestamp=${now - DAY_SECONDS}&step=hour&by=user`],
  ["all time by user, 27,000 points", "/api/usage?step=day&by=user"],
];

interface Timed {
  firstMs: number;
  medianMs: number;
  /** What the server worked for one answer, on all its threads: how long it takes where nothing else runs. */
  cpuMs: number;
}

const time = async (caller: SignedIn, pid: number, paths: readonly string[]): Promise<Timed> => {
  const times: number[] = [];
  const before = cpuTicks([pid]);
  for (let i = 0; i < TIMES; i += 1) {
    const startedAt = performance.now();
    const answers = await Promise.all(paths.map((path) => caller.api("GET", path)));
    times.push(performance.now() - startedAt);
    const refused = answers.find(({ body }) => body.success !== true);
    if (refused) throw new Error(`${paths.join(", ")}: ${refused.text}`);
  }
  const cpuMs = ((cpuTicks([pid]) - before) * 1000) / TICKS_PER_SECOND / TIMES;
  return { firstMs: times[0] ?? 0, medianMs: median(times), cpuMs };
};

mkdirSync(folder, { recursive: true });
if (!existsSync(join(folder, "tollgate.db"))) {
  say(`Making ${USERS} users and filling in ${rows.toLocaleString("en")} lines …`);
  await createWorld();
  await fill();
}
const bytes = statSync(join(folder, "logs.sqlite")).size;
say(`The log file has ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / rows).toFixed(0)} bytes a line.`);

const server = await startServer({ dataDir: folder, main: join(serverFolder, "main.js") });
const root = await server.signIn();

/** Measures and prints. @returns how many are above the bar. */
const measure = async (title: string, pages: typeof PAGES, isHeldToBar: boolean): Promise<number> => {
  let broken = 0;
  say(`\n${title.padEnd(40)} ${"first ms".padStart(9)} ${"median ms".padStart(10)} ${"CPU ms".padStart(8)}`);
  for (const [name, paths] of pages) {
    const timed = await time(root, server.pid, typeof paths === "string" ? [paths] : paths);
    const isAbove = isHeldToBar && timed.medianMs > budgets.adminPageMs;
    if (isAbove) broken += 1;
    say(
      `${name.padEnd(40)} ${timed.firstMs.toFixed(1).padStart(9)} ${timed.medianMs.toFixed(1).padStart(10)} ${timed.cpuMs.toFixed(0).padStart(8)}${isAbove ? "  ABOVE THE BAR" : ""}`,
    );
  }
  return broken;
};

const broken = await measure("page or total", PAGES, true);
say(
  broken === 0
    ? `\nEvery one is below ${budgets.adminPageMs} ms.`
    : `\n${broken} are above ${budgets.adminPageMs} ms.`,
);
await measure("every key told apart (no page does)", LONG, false);
await server.stop();
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(0);
