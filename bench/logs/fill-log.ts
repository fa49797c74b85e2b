import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addChannel, addToken, addUser } from "@tollgate/demo/build-world";
import { startServer } from "@tollgate/testkit/server-process";
import {
  CHANNELS,
  channelName,
  createRareUsage,
  createUsage,
  DAY_SECONDS,
  MODELS,
  modelName,
  RARE_MODEL,
  SPAN_DAYS,
  TOKEN_NAMES,
  USERS,
  userName,
} from "./log-world";

/** Where the table is. */
export interface LogPlace {
  /** The data folder; made when there is none. */
  folder: string;
  /** What else the product needs to find it. */
  env: Record<string, string>;
  /** How often its span of days is repeated, itself included. */
  spans: number;
}

const createWorld = async ({ folder, env }: LogPlace, serverFolder: string): Promise<void> => {
  const server = await startServer({ dataDir: folder, main: join(serverFolder, "main.js"), env });
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
 * Makes users, keys and channels and fills the log with past usage; leaves a place alone that has been filled before.
 * @param rows lines of the log
 * @param serverFolder the built product
 * @param print prints a line
 */
export const fillLog = async (
  place: LogPlace,
  rows: number,
  serverFolder: string,
  print: (line: string) => void,
): Promise<void> => {
  const { folder, env, spans } = place;
  mkdirSync(folder, { recursive: true });
  const mark = join(folder, "filled");
  if (existsSync(mark) || existsSync(join(folder, "tollgate.db"))) return;
  print(
    `Making ${USERS} users and filling in ${rows.toLocaleString("en")} lines of ${spans * SPAN_DAYS} days …`,
  );
  await createWorld(place, serverFolder);
  const startedAt = performance.now();
  const now = Math.floor(Date.now() / 1000);
  const start = now - (now % DAY_SECONDS) - (spans * SPAN_DAYS - 1) * DAY_SECONDS;
  const command = [join(serverFolder, "seed.js"), folder, "-"];
  await seed(
    command,
    env,
    createUsage(rows / spans, start),
    "--repeat",
    String(spans - 1),
    String(SPAN_DAYS),
  );
  await seed(command, env, createRareUsage(start));
  writeFileSync(mark, "");
  print(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
};
