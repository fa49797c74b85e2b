import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { CHAT_PATH, smallChat } from "../load/chat-request";
import { cpuTicks, TICKS_PER_SECOND } from "../load/cpu-ticks";
import { median } from "../load/median";
import { startStage } from "../load/stage";
import { print, printTable } from "../print";
import { SERVER_MAIN, startTollgate, type TollgateTarget } from "../targets/start-tollgate";
import type { Part } from "./part";

/* From `node dist/server/main.js` on a data folder that exists to the first answer. */

interface Start {
  /** Until it reports that it is ready. */
  readyMs: number;
  /** Until a relayed answer is here, whole. */
  answerMs: number;
  /** CPU time of the process until then, on all its threads. */
  cpuMs: number;
}

/** @throws Error when the first request is not answered as it should be. */
const startOnce = async (stopped: TollgateTarget): Promise<Start> => {
  const startedAt = performance.now();
  const target = await stopped.again();
  const readyMs = performance.now() - startedAt;
  const answer = await fetch(`http://127.0.0.1:${target.port}${CHAT_PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...target.headers },
    body: smallChat(false),
  });
  const text = await answer.text();
  const answerMs = performance.now() - startedAt;
  const cpuMs = (cpuTicks(target.pids) / TICKS_PER_SECOND) * 1000;
  await target.stop();
  if (answer.status !== 200) throw new Error(`The first request was answered ${answer.status} ${text}`);
  return { readyMs, answerMs, cpuMs };
};

/** Duration of the very first start, which creates the tables. */
const startOnEmptyFolder = async (dataDir: string): Promise<number> => {
  const startedAt = performance.now();
  const server = await startServer({ main: SERVER_MAIN, dataDir });
  const readyMs = performance.now() - startedAt;
  await server.stop();
  return readyMs;
};

export const coldStart: Part = async ({ isQuick }) => {
  const stage = await startStage(false);
  const dataDir = createDataDir();
  const emptyMs = await startOnEmptyFolder(dataDir);
  const target = await startTollgate(stage.settings, dataDir);
  await target.stop();
  const starts: Start[] = [];
  for (let i = 0; i < (isQuick ? 3 : 9); i += 1) starts.push(await startOnce(target));
  await stage.stop();

  const ready = starts.map(({ readyMs }) => readyMs);
  const cpu = starts.map(({ cpuMs }) => cpuMs);
  const answered = starts.map(({ answerMs }) => answerMs);
  print(`  ${starts.length} starts with the files in the page cache, and one on an empty folder.`);
  printTable(
    ["until", "median ms", "longest ms"],
    [
      ["it is ready", median(ready).toFixed(0), Math.max(...ready).toFixed(0)],
      ["the first relayed answer is here", median(answered).toFixed(0), Math.max(...answered).toFixed(0)],
      ["(CPU of all threads until then)", median(cpu).toFixed(0), Math.max(...cpu).toFixed(0)],
      ["it is ready, on an empty folder", emptyMs.toFixed(0), ""],
    ],
  );
  return [
    {
      what: "Cold start to the first answer",
      measured: median(answered),
      budget: budgets.coldStartMs,
      unit: " ms",
    },
  ];
};
