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

const CALLS: readonly [name: string, path: string][] = [
  ["first page", "/api/log/?p=0"],
  ["second page", "/api/log/?p=1"],
  ["page 100", "/api/log/?p=100"],
  ["page 10,000", "/api/log/?p=10000"],
  ["page 900,000", "/api/log/?p=900000"],
  ["type consume", "/api/log/?p=0&type=2"],
  ["type top-up", "/api/log/?p=0&type=1"],
  ["type manage", "/api/log/?p=0&type=3"],
  ["frequent model", `/api/log/?p=0&model_name=${modelName(0)}`],
  ["frequent model, page 5,000", `/api/log/?p=5000&model_name=${modelName(0)}`],
  ["rare model", `/api/log/?p=0&model_name=${RARE_MODEL}`],
  ["unknown model", "/api/log/?p=0&model_name=nothing"],
  ["frequent user", `/api/log/?p=0&username=${userName(0)}`],
  ["frequent user, page 5,000", `/api/log/?p=5000&username=${userName(0)}`],
  ["rare user", `/api/log/?p=0&username=${userName(USERS - 1)}`],
  ["rare user, page 20", `/api/log/?p=20&username=${userName(USERS - 1)}`],
  ["key name that all users have", "/api/log/?p=0&token_name=default"],
  ["same, page 1,000", "/api/log/?p=1000&token_name=default"],
  ["channel", `/api/log/?p=0&channel=${CHANNELS}`],
  ["rare user and rare model", `/api/log/?p=0&username=${userName(USERS - 1)}&model_name=${RARE_MODEL}`],
  ["rare user, channel, key", `/api/log/?p=0&username=${userName(USERS - 1)}&channel=12&token_name=server`],
  ["a month that is cut within hours", `/api/log/?p=0&${cut}`],
  ["same, page 1,000", `/api/log/?p=1000&${cut}`],
  ["same, rare model", `/api/log/?p=0&${cut}&model_name=${RARE_MODEL}`],
  ["search by type", "/api/log/search?keyword=2"],
  ["search by text", `/api/log/search?keyword=${encodeURIComponent("模型倍率 3.00")}`],
  ["search for a text that is nowhere", "/api/log/search?keyword=nowhere"],
  ["total", "/api/log/stat"],
  ["total of a month", `/api/log/stat?${month}`],
  ["total of a cut month", `/api/log/stat?${cut}`],
  ["total of a user", `/api/log/stat?username=${userName(0)}`],
  ["total of a user, cut", `/api/log/stat?${cut}&username=${userName(0)}`],
  ["total of a key name that all have", "/api/log/stat?token_name=default"],
  ["total of a model", `/api/log/stat?model_name=${modelName(3)}`],
  ["usage of a month by day", `/api/usage?${month}&step=day`],
  ["usage of a month by hour", `/api/usage?${month}&step=hour`],
  ["usage of a month by model", `/api/usage?${month}&step=day&by=model`],
  ["usage of a month by channel", `/api/usage?${month}&step=day&by=channel`],
  ["usage of a month by user", `/api/usage?${month}&step=day&by=user`],
  ["usage of a month by key", `/api/usage?${month}&step=day&by=token`],
  ["usage of a day by user", `/api/usage?start_timestamp=${now - DAY_SECONDS}&step=hour&by=user`],
  ["usage of all time by day", "/api/usage?step=day"],
  ["usage of all time by user", "/api/usage?step=day&by=user"],
];

interface Timed {
  firstMs: number;
  medianMs: number;
  /** What the server worked for one answer, on all its threads: how long it takes where nothing else runs. */
  cpuMs: number;
}

const time = async (caller: SignedIn, pid: number, path: string): Promise<Timed> => {
  const times: number[] = [];
  const before = cpuTicks([pid]);
  for (let i = 0; i < TIMES; i += 1) {
    const startedAt = performance.now();
    const answer = await caller.api("GET", path);
    times.push(performance.now() - startedAt);
    if (answer.body.success !== true) throw new Error(`${path}: ${answer.text}`);
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
let broken = 0;
say(
  `\n${"page or total".padEnd(40)} ${"first ms".padStart(9)} ${"median ms".padStart(10)} ${"CPU ms".padStart(8)}`,
);
for (const [name, path] of CALLS) {
  const { firstMs, medianMs, cpuMs } = await time(root, server.pid, path);
  const isAbove = medianMs > budgets.adminPageMs;
  if (isAbove) broken += 1;
  say(
    `${name.padEnd(40)} ${firstMs.toFixed(1).padStart(9)} ${medianMs.toFixed(1).padStart(10)} ${cpuMs.toFixed(0).padStart(8)}${isAbove ? "  ABOVE THE BAR" : ""}`,
  );
}
say(
  broken === 0
    ? `\nEvery one is below ${budgets.adminPageMs} ms.`
    : `\n${broken} are above ${budgets.adminPageMs} ms.`,
);
await server.stop();
if (kept === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(0);
