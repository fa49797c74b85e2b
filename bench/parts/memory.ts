import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import budgets from "../budgets.json" with { type: "json" };
import { smallChat } from "../load/chat-request";
import { measure } from "../load/measure";
import { forgetPeak, peakResidentMb, residentMb } from "../load/resident-memory";
import { type Stage, startStage } from "../load/stage";
import { print, printTable } from "../print";
import { startBareRelay } from "../targets/start-bare-relay";
import { startPortkey } from "../targets/start-portkey";
import { startTollgate } from "../targets/start-tollgate";
import type { Target, TargetSettings } from "../targets/target";
import type { Verdict } from "../verdicts";
import type { Part } from "./part";

/* Resident memory of a freshly started relay: at idle, and the maximum while small requests run. */

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

/** The gateway after a start on an existing folder, before its first request. */
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

const versionOf = (node: string): string => execFileSync(node, ["--version"], { encoding: "utf8" }).trim();

const verdictsOf = (name: string, { idleMb, peaksMb }: Residence): Verdict[] => [
  {
    what: `Resident memory at idle, ${name}`,
    measured: idleMb,
    budget: budgets.residentMb.idle,
    unit: " MB",
  },
  {
    what: `Resident memory under load of small requests, at the most, ${name}`,
    measured: Math.max(...peaksMb),
    budget: budgets.residentMb.load,
    unit: " MB",
  },
];

export const memory: Part = async ({ isQuick, nodes }) => {
  const durationMs = isQuick ? 1500 : 10_000;
  const stage = await startStage(true);
  const rows: [string, Residence][] = [];
  const add = async (name: string, target: Target): Promise<Residence> => {
    const residence = await observe(stage, target, durationMs);
    await target.stop();
    rows.push([name, residence]);
    return residence;
  };
  const bareRelay = await startBareRelay(stage.settings);
  await add(bareRelay.name, bareRelay);
  const verdicts: Verdict[] = [];
  for (const node of [process.execPath, ...nodes]) {
    const name = `Tollgate, Node ${versionOf(node)}`;
    verdicts.push(...verdictsOf(name, await add(name, await restartTollgate({ ...stage.settings, node }))));
  }
  const portkey = await startPortkey(stage.settings);
  if (portkey) await add(portkey.name, portkey);
  await stage.stop();

  print(
    `  Resident memory in MB: at idle, the most under ${durationMs / 1000} s of each load, and idle again.`,
  );
  const titles = LOADS.map(({ connections, isStream }) => `${isStream ? "SSE" : "JSON"} × ${connections}`);
  printTable(
    ["relay", "idle", ...titles, "after"],
    rows.map(([name, { idleMb, peaksMb, afterMb }]) => [
      name,
      ...[idleMb, ...peaksMb, afterMb].map((mb) => mb.toFixed(0)),
    ]),
  );
  return verdicts;
};
