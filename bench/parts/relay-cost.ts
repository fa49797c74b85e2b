import budgets from "../budgets.json" with { type: "json" };
import { smallChat } from "../load/chat-request";
import { measure, medianSample, type Sample } from "../load/measure";
import { canPin } from "../load/pin";
import { type Stage, startStage } from "../load/stage";
import { print, printTable } from "../print";
import { startBareRelay } from "../targets/start-bare-relay";
import { startNginx } from "../targets/start-nginx";
import { startPortkey } from "../targets/start-portkey";
import { startTollgate } from "../targets/start-tollgate";
import type { Target } from "../targets/target";
import type { Verdict } from "../verdicts";
import { printBackgroundLoad } from "./background-load";
import type { Part } from "./part";

/*
 * The cost of a request: the gateway with keys, limits, ledger, receipts and log on, beside a bare relay of the same
 * runtime, nginx, and a peer, in alternating rounds of one run.
 */

const CONNECTIONS = [1, 32, 256];
/** The number of connections to which the budget applies. */
const BAR_CONNECTIONS = 32;
/** Slow enough that no relay is near its limit: measures the added latency of a relay that is not busy. */
const STEADY_PER_SECOND = 200;

interface Times {
  rounds: number;
  roundMs: number;
  /** Not measured, before each round. */
  settleMs: number;
  /** For each target with each kind of answer; V8 needs 10 to 16 s until it settles. */
  warmUpMs: number;
}
const FULL: Times = { rounds: 3, roundMs: 3000, settleMs: 1000, warmUpMs: 12_000 };
const QUICK: Times = { rounds: 1, roundMs: 1000, settleMs: 250, warmUpMs: 1500 };

interface Cell {
  title: string;
  isStream: boolean;
  connections: number;
  perSecond?: number;
}

/** By the target's name. */
type Row = Map<string, Sample>;

const kindOf = (isStream: boolean): string => (isStream ? "SSE, 50 events" : "JSON, 1 KB");
const countOf = (connections: number): string => `${connections} connection${connections === 1 ? "" : "s"}`;

const startTargets = async ({ settings, upstreamPort }: Stage): Promise<Target[]> => {
  const direct: Target = {
    name: "no relay",
    port: upstreamPort,
    pids: [],
    headers: {},
    stop: async () => {},
  };
  const [nginx, portkey] = [await startNginx(settings), await startPortkey(settings)];
  if (!nginx) print("  nginx is not installed: left out.");
  if (!portkey) print("  The peer (@portkey-ai/gateway) could not be fetched from the registry: left out.");
  const targets = [direct, await startBareRelay(settings), nginx, await startTollgate(settings), portkey];
  return targets.filter((target) => target !== undefined);
};

const runCell = async (stage: Stage, targets: readonly Target[], cell: Cell, times: Times) => {
  const { isStream, connections, perSecond } = cell;
  const samples = new Map<string, Sample[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < times.rounds; round += 1) {
    for (const target of targets) {
      const order = {
        body: smallChat(isStream),
        connections,
        ...(perSecond === undefined ? {} : { perSecond }),
      };
      // Each was idle while the others had their turn: caches and compiled code have to come back first.
      await measure(stage, target, { ...order, durationMs: times.settleMs });
      samples.get(target.name)?.push(await measure(stage, target, { ...order, durationMs: times.roundMs }));
    }
  }
  return samples;
};

const formatCell = (title: string, row: Row): void => {
  const directly = row.get("no relay");
  const bare = row.get("bare relay");
  const nginx = row.get("nginx proxy_pass");
  const ratio = (cpuUs: number, base: Sample | undefined): string =>
    base ? (cpuUs / base.cpuUs).toFixed(2) : "-";
  print(`\n${title}`);
  printTable(
    ["relay", "CPU/request", "× bare", "× nginx", "p50 ms", "added", "p99 ms", "added", "req/s", "MB"],
    [...row].map(([name, sample]) => {
      const { cpuUs, p50Ms, p99Ms, perSecond } = sample;
      const [p50, p99, rate] = [p50Ms.toFixed(2), p99Ms.toFixed(2), perSecond.toFixed(0)];
      if (sample === directly) return [name, "-", "-", "-", p50, "-", p99, "-", rate, "-"];
      return [
        name,
        `${cpuUs.toFixed(0)} µs`,
        ratio(cpuUs, bare),
        ratio(cpuUs, nginx),
        p50,
        directly ? (p50Ms - directly.p50Ms).toFixed(2) : "-",
        p99,
        directly ? (p99Ms - directly.p99Ms).toFixed(2) : "-",
        rate,
        sample.residentMb.toFixed(0),
      ];
    }),
  );
  for (const [name, { failed, failure }] of row)
    if (failed > 0) print(`  ${name}: ${failed} requests FAILED: ${failure}`);
};

const judge = (isStream: boolean, row: Row): Verdict => ({
  what: `CPU per request beside the bare relay (${kindOf(isStream)}, ${countOf(BAR_CONNECTIONS)})`,
  measured: (row.get("Tollgate")?.cpuUs ?? Number.NaN) / (row.get("bare relay")?.cpuUs ?? Number.NaN),
  budget: budgets.cpuPerRequestRatio,
  unit: " ×",
});

/** The same over an upstream behind TLS, as most are, beside the bare relay alone. */
const measureSecure = async (times: Times): Promise<{ all: Sample[]; failed: number }> => {
  const stage = await startStage(true, true);
  const targets = [await startBareRelay(stage.settings), await startTollgate(stage.settings)];
  const all: Sample[] = [];
  let failed = 0;
  for (const isStream of [false, true]) {
    const cell = {
      title: `${kindOf(isStream)}, ${countOf(BAR_CONNECTIONS)}, closed loop, upstream over TLS`,
      isStream,
      connections: BAR_CONNECTIONS,
    };
    for (const target of targets)
      await measure(stage, target, {
        body: smallChat(isStream),
        connections: BAR_CONNECTIONS,
        durationMs: times.warmUpMs,
      });
    const samples = await runCell(stage, targets, cell, times);
    all.push(...[...samples.values()].flat());
    const row: Row = new Map([...samples].map(([name, rounds]) => [name, medianSample(rounds)]));
    formatCell(cell.title, row);
    failed += row.get("Tollgate")?.failed ?? 0;
  }
  for (const target of targets) await target.stop();
  await stage.stop();
  return { all, failed };
};

export const relayCost: Part = async ({ isQuick }) => {
  const times = isQuick ? QUICK : FULL;
  const stage = await startStage(true);
  const targets = await startTargets(stage);
  print(
    `  ${times.rounds} rounds of ${times.roundMs / 1000} s, medians; ${times.warmUpMs / 1000} s of warm-up with each kind of answer.`,
  );
  if (canPin) print("  Each relay on one core, load and upstream on another.");
  print("  added: over no relay at all. In a closed loop latency is mostly waiting for one's turn.");
  for (const isStream of [false, true])
    for (const target of targets)
      await measure(stage, target, {
        body: smallChat(isStream),
        connections: 32,
        durationMs: times.warmUpMs,
      });

  const cells: Cell[] = [false, true].flatMap((isStream) => [
    ...CONNECTIONS.map((connections) => ({
      title: `${kindOf(isStream)}, ${countOf(connections)}, closed loop`,
      isStream,
      connections,
    })),
    {
      title: `${kindOf(isStream)}, steadily ${STEADY_PER_SECOND} a second over 32 connections`,
      isStream,
      connections: 32,
      perSecond: STEADY_PER_SECOND,
    },
  ]);
  const all: Sample[] = [];
  let failed = 0;
  const verdicts: Verdict[] = [];
  for (const cell of cells) {
    const samples = await runCell(stage, targets, cell, times);
    all.push(...[...samples.values()].flat());
    const row: Row = new Map([...samples].map(([name, rounds]) => [name, medianSample(rounds)]));
    formatCell(cell.title, row);
    failed += row.get("Tollgate")?.failed ?? 0;
    if (cell.connections === BAR_CONNECTIONS && cell.perSecond === undefined)
      verdicts.push(judge(cell.isStream, row));
  }
  for (const target of targets) await target.stop();
  await stage.stop();
  const secure = await measureSecure(times);
  all.push(...secure.all);
  failed += secure.failed;
  printBackgroundLoad(all);
  return [...verdicts, { what: "Requests that failed meanwhile", measured: failed, budget: 0, unit: "" }];
};
