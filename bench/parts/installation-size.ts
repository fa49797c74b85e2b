import { addChannel, addUser } from "@tollgate/demo/build-world";
import {
  createDataDir,
  type ServerProcess,
  type SignedIn,
  startServer,
} from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { TICKS_PER_SECOND, threadTicks } from "../load/cpu-ticks";
import { median } from "../load/median";
import { print, printTable } from "../print";
import { SERVER_MAIN } from "../targets/start-tollgate";
import type { Part } from "./part";

/* Everything that a request needs is in memory: measures the time of loading it at a start, and the cost of an edit. */

const MODELS = Array.from({ length: 40 }, (_, index) => `model-${index}`);
const KEYS_PER_USER = 500;
/** Simultaneous calls while keys are made. */
const AT_ONCE = 16;
const EDITS = 400;

const start = (dataDir: string): Promise<ServerProcess> => startServer({ main: SERVER_MAIN, dataDir });

/** One channel for each line of the key: a thousand a call. */
const addChannels = async (root: SignedIn, count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - made) }, (_, index) => `sk-${made + index}`);
    await addChannel(root, {
      key: lines.join("\n"),
      base_url: "http://127.0.0.1:9",
      models: MODELS.join(","),
      group: "default,vip",
    });
  }
};

const addKeys = async (server: ServerProcess, root: SignedIn, count: number): Promise<void> => {
  for (let user = 0; user * KEYS_PER_USER < count; user += 1) {
    const owner = await addUser(root, server.signIn, `user-${user}`);
    let left = Math.min(KEYS_PER_USER, count - user * KEYS_PER_USER);
    const make = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const answer = await owner.api("POST", "/api/token/", { name: "key", unlimited_quota: true });
        if (answer.body.success !== true) throw new Error(`a key was refused: ${answer.text}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, make));
  }
};

interface Size {
  channels: number;
  keys: number;
}

interface Figures {
  startMs: number;
  longestStartMs: number;
  /** CPU time of the relaying thread for one edit, including the call. */
  editMs: number;
}

const measure = async ({ channels, keys }: Size, starts: number): Promise<Figures> => {
  const dataDir = createDataDir();
  const filling = await start(dataDir);
  const filler = await filling.signIn();
  await addChannels(filler, channels);
  await addKeys(filling, filler, keys);
  await filling.stop();
  const times: number[] = [];
  for (let i = 0; i < starts; i += 1) {
    const startedAt = performance.now();
    const server = await start(dataDir);
    times.push(performance.now() - startedAt);
    await server.stop();
  }
  const server = await start(dataDir);
  const root = await server.signIn();
  const before = threadTicks(server.pid);
  for (let edit = 0; edit < EDITS; edit += 1) {
    const id = 1 + (edit % channels);
    // Of four edits one moves the channel, one disables it, one enables it, one changes its models.
    const fields = [
      { priority: edit % 7 },
      { status: 2 },
      { status: 1 },
      { models: MODELS.slice(edit % 9).join(",") },
    ];
    const answer = await root.api("PUT", "/api/channel/", { id, ...fields[edit % 4] });
    if (answer.body.success !== true) throw new Error(`an edit was refused: ${answer.text}`);
  }
  const editMs = ((threadTicks(server.pid) - before) / TICKS_PER_SECOND / EDITS) * 1000;
  await server.stop();
  return { startMs: median(times), longestStartMs: Math.max(...times), editMs };
};

export const installationSize: Part = async ({ isQuick }) => {
  const large: Size = isQuick ? { channels: 500, keys: 2000 } : { channels: 10_000, keys: 200_000 };
  const starts = isQuick ? 2 : 7;
  const small = await measure({ channels: 10, keys: 10 }, starts);
  const grown = await measure(large, starts);
  const row = (size: string, figures: Figures): string[] => [
    size,
    figures.startMs.toFixed(0),
    figures.longestStartMs.toFixed(0),
    figures.editMs.toFixed(2),
  ];
  print(`  ${starts} starts each, and ${EDITS} edits of channels, CPU of the thread that relays.`);
  printTable(
    ["channels, keys", "start ms", "longest ms", "edit ms"],
    [
      row("10, 10", small),
      row(`${large.channels.toLocaleString("en")}, ${large.keys.toLocaleString("en")}`, grown),
    ],
  );
  return [
    {
      what: "Start of a large installation",
      measured: grown.startMs,
      budget: budgets.largeInstallation.startMs,
      unit: " ms",
    },
    {
      what: "An edit of a channel in it, on the relay's thread, beyond what one in a small one costs",
      measured: Math.max(0, grown.editMs - small.editMs),
      budget: budgets.largeInstallation.editMs,
      unit: " ms",
    },
  ];
};
