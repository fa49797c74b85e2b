import { setTimeout as wait } from "node:timers/promises";
import budgets from "../budgets.json" with { type: "json" };
import { smallChat } from "../load/chat-request";
import { measure } from "../load/measure";
import { forgetPeak, peakResidentMb, residentMb } from "../load/resident-memory";
import { type Stage, startStage } from "../load/stage";
import { say, sayTable } from "../print";
import { startBareRelay } from "../targets/start-bare-relay";
import { startPortkey } from "../targets/start-portkey";
import { startTollgate } from "../targets/start-tollgate";
import type { Target, TargetSettings } from "../targets/target";
import type { Part } from "./part";

/* Resident memory of a freshly started relay: at idle, and at the most while small requests run. */

const SETTLE_MS = 3000;
const LOADS = [32, 256].flatMap((connections) =>
  [false, true].map((isStream) => ({ connections, isStream })),
);

interface Residence {
  idleMb: number;
  /** In the order of LOADS. */
  peaksMb: number[];
  afterMb: number;
}

/** The gateway as it is after a start on a folder that exists, before anybody asked it for anything. */
const restartTollgate = async (settings: TargetSettings): Promise<Target> => {
  const target = await startTollgate(settings);
  await target.stop();
  return target.again();
};

const observe = async (stage: Stage, target: Target, durationMs: number): Promise<Residence> => {
  await wait(SETTLE_MS);
  const idleMb = residentMb(target.pids);
  const peaksMb: number[] = [];
  for (const { connections, isStream } of LOADS) {
    forgetPeak(target.pids);
    await measure(stage, target, { body: smallChat(isStream), connections, durationMs });
    peaksMb.push(peakResidentMb(target.pids));
  }
  await wait(SETTLE_MS);
  return { idleMb, peaksMb, afterMb: residentMb(target.pids) };
};

export const memory: Part = async ({ isQuick }) => {
  const durationMs = isQuick ? 1500 : 10_000;
  const stage = await startStage(true);
  const rows: [string, Residence][] = [];
  for (const start of [startBareRelay, restartTollgate, startPortkey]) {
    const target = await start(stage.settings);
    if (!target) continue;
    rows.push([target.name, await observe(stage, target, durationMs)]);
    await target.stop();
  }
  await stage.stop();

  say(
    `  Resident memory in MB: at idle, the most under ${durationMs / 1000} s of each load, and idle again.`,
  );
  const titles = LOADS.map(({ connections, isStream }) => `${isStream ? "SSE" : "JSON"} × ${connections}`);
  sayTable(
    ["relay", "idle", ...titles, "after"],
    rows.map(([name, { idleMb, peaksMb, afterMb }]) => [
      name,
      ...[idleMb, ...peaksMb, afterMb].map((mb) => mb.toFixed(0)),
    ]),
  );
  const ours = rows.find(([name]) => name === "Tollgate")?.[1];
  const bar = budgets.residentMb;
  return [
    { what: "Resident memory at idle", measured: ours?.idleMb ?? Number.NaN, bar, unit: " MB" },
    {
      what: "Resident memory under load of small requests, at the most",
      measured: Math.max(...(ours?.peaksMb ?? [Number.NaN])),
      bar,
      unit: " MB",
    },
  ];
};
