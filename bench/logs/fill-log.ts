import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedemptions } from "@tollgate/contract/api/redemptions";
import { addApiKey, addChannel, addUser, ask } from "@tollgate/demo/build-world";
import { startServer } from "@tollgate/testkit/server-process";
import {
  channelName,
  createRareUsage,
  createUsage,
  DAY_SECONDS,
  type LogWorld,
  MODELS,
  modelName,
  RARE_MODEL,
  SPAN_DAYS,
  TOKEN_NAMES,
  userName,
  WORLD_OF_LOGS,
} from "./log-world";

/** Location of the table. */
export interface LogTableOptions {
  /** The data folder; created if missing. */
  folder: string;
  /** Further environment variables for the product. */
  env: Record<string, string>;
  /** Number of repetitions of its span of days, including the first. */
  spans: number;
}

const createWorld = async (
  { folder, env }: LogTableOptions,
  world: LogWorld,
  serverFolder: string,
): Promise<void> => {
  const server = await startServer({ dataDir: folder, main: join(serverFolder, "main.js"), env });
  const root = await server.signIn();
  const models = [...Array.from({ length: MODELS }, (_, i) => modelName(i)), RARE_MODEL].join(",");
  for (let i = 0; i < world.channels; i += 1)
    await addChannel(root, { name: channelName(i, world), base_url: "http://127.0.0.1:9", models });
  for (let i = 0; i < world.users; i += 1) {
    const user = await addUser(root, server.signIn, userName(i, world), { quota: 1_000_000_000_000 });
    // Setting a key's own limit adds a ledger entry.
    for (const name of TOKEN_NAMES)
      await addApiKey(user, { name, remain_quota: 900_000_000, unlimited_quota: true });
  }
  if (world.codes > 0)
    await ask(root, createRedemptions, { body: { name: "code", quota: 500_000, count: world.codes } });
  await server.stop();
};

/** Runs the seed program on these lines. */
const seed = async (
  seedCommand: string[],
  env: Record<string, string>,
  lines: Iterable<string>,
  ...options: string[]
): Promise<void> => {
  const seeding = spawn(process.execPath, [...seedCommand, ...options], {
    env: { ...process.env, ...env },
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

/**
 * Makes users, keys and channels and fills the log with past usage; does nothing in an already filled location.
 * @param rows lines of the log
 * @param serverFolder the built product
 * @param print prints a line
 * @param world its users
 */
export const fillLog = async (
  table: LogTableOptions,
  rows: number,
  serverFolder: string,
  print: (line: string) => void,
  world = WORLD_OF_LOGS,
): Promise<void> => {
  const { folder, env, spans } = table;
  mkdirSync(folder, { recursive: true });
  const mark = join(folder, "filled");
  if (existsSync(mark) || existsSync(join(folder, "tollgate.db"))) return;
  print(
    `Making ${world.users * (1 + world.userCopies)} users and filling in ${rows.toLocaleString("en")} lines of ${spans * SPAN_DAYS} days …`,
  );
  const startedAt = performance.now();
  await createWorld(table, world, serverFolder);
  const now = Math.floor(Date.now() / 1000);
  const start = now - (now % DAY_SECONDS) - (spans * SPAN_DAYS - 1) * DAY_SECONDS;
  const command = [join(serverFolder, "seed.js"), folder, "-"];
  const {
    userCopies: users,
    channelCopies: channels,
    codeCopies: redemptions,
    auditCopies: audit,
    orders,
  } = world;
  if (users > 0)
    await seed(
      command,
      env,
      [],
      "--accounts",
      JSON.stringify({ users, channels, redemptions, audit, orders }),
    );
  await seed(
    command,
    env,
    createUsage(world, rows / spans, start),
    "--repeat",
    String(spans - 1),
    String(SPAN_DAYS),
  );
  await seed(command, env, createRareUsage(world, start));
  writeFileSync(mark, "");
  print(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
};
