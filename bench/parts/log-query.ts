import { createDataDir } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { askContinuously } from "../load/ask-continuously";
import { smallChat } from "../load/chat-request";
import { measure, medianSample, type Sample } from "../load/measure";
import { median } from "../load/median";
import { type Stage, startStage } from "../load/stage";
import { kill, startNode } from "../load/start-program";
import { fillLog } from "../logs/fill-log";
import { createLogPages } from "../logs/log-calls";
import { print, printTable } from "../print";
import type { Settings } from "../settings";
import { SERVER_FOLDER, startTollgate, type TollgateTarget } from "../targets/start-tollgate";
import type { Verdict } from "../verdicts";
import { printBackgroundLoad } from "./background-load";
import type { Part } from "./part";

/*
 * The effect on the relay's clients while an administrator requests the heaviest pages of a large log without a pause.
 * Nothing is pinned here: the query runs on its own thread, which the kernel may place freely, as in production. On two
 * cores it takes one of them from the relay and the load alike; the effect of any other program that uses a core is
 * measured beside it, so that the two can be distinguished.
 */

/** Ninety days of lines. */
const SPANS = 10;
const ROWS = 5_000_000;
const CONNECTIONS = 32;
/** Number of the slowest calls, requested in turn. */
const HEAVIEST = 3;
/** Share of a closed loop's rate: below saturation, where latency is not only queueing. */
const STEADY_SHARE = 0.3;

interface Times {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
}
const FULL: Times = { rounds: 5, roundMs: 4000, warmUpMs: 12_000 };
const QUICK: Times = { rounds: 1, roundMs: 1500, warmUpMs: 2000 };

/** A program running beside the relay in a round. */
interface Neighbour {
  title: string;
  /** @returns stops it, and returns the times of its answers, if any */
  start(): () => Promise<number[]>;
}

interface Cell {
  neighbour: string;
  samples: Sample[];
  queryMs: number[];
}

/** One request of an administrator. */
interface LogCall {
  name: string;
  path: string;
}

const findHeaviest = async ({ root }: TollgateTarget): Promise<LogCall[]> => {
  const timed: { call: LogCall; ms: number }[] = [];
  for (const { name, paths } of createLogPages(Math.floor(Date.now() / 1000))) {
    const [path] = paths;
    if (path === undefined || paths.length > 1) continue;
    const times: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const startedAt = performance.now();
      await root.api("GET", path);
      times.push(performance.now() - startedAt);
    }
    // The first one finds cold pages.
    timed.push({ call: { name, path }, ms: Math.min(...times) });
  }
  const heaviest = timed.sort((a, b) => b.ms - a.ms).slice(0, HEAVIEST);
  print("  The heaviest calls, asked for in turn:");
  for (const { call, ms } of heaviest) print(`    ${call.name} (${ms.toFixed(0)} ms alone)`);
  return heaviest.map(({ call }) => call);
};

const neighboursOf = ({ server, root }: TollgateTarget, heaviest: readonly LogCall[]): Neighbour[] => [
  { title: "nothing", start: () => async () => [] },
  {
    title: "the heaviest queries",
    start: () => {
      const asking = askContinuously(
        heaviest.map(({ path }) => server.url + path),
        root.cookie,
      );
      return async () => {
        await asking.stop();
        return asking.times;
      };
    },
  },
  {
    title: "a stranger that takes a core",
    start: () => {
      const { child } = startNode(["-e", "for (;;);"], undefined);
      return async () => {
        await kill(child);
        return [];
      };
    },
  },
];

const runRounds = async (
  stage: Stage,
  target: TollgateTarget,
  neighbours: readonly Neighbour[],
  { rounds, roundMs }: Times,
  perSecond: number | undefined,
): Promise<Cell[]> => {
  const cells = neighbours.map(({ title }): Cell => ({ neighbour: title, samples: [], queryMs: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, neighbour] of neighbours.entries()) {
      const stop = neighbour.start();
      const sample = await measure(stage, target, {
        body: smallChat(false),
        connections: CONNECTIONS,
        durationMs: roundMs,
        ...(perSecond === undefined ? {} : { perSecond }),
      });
      cells[i]?.samples.push(sample);
      cells[i]?.queryMs.push(...(await stop()));
    }
  }
  return cells;
};

const formatCells = (title: string, cells: readonly Cell[]): void => {
  const alone = medianSample(cells[0]?.samples ?? []);
  print(`\n${title}`);
  printTable(
    ["beside", "p50 ms", "ratio", "p99 ms", "ratio", "req/s", "queries", "ms each"],
    cells.map(({ neighbour, samples, queryMs }) => {
      const { p50Ms, p99Ms, perSecond } = medianSample(samples);
      return [
        neighbour,
        p50Ms.toFixed(2),
        (p50Ms / alone.p50Ms).toFixed(2),
        p99Ms.toFixed(2),
        (p99Ms / alone.p99Ms).toFixed(2),
        perSecond.toFixed(0),
        queryMs.length === 0 ? "" : String(queryMs.length),
        queryMs.length === 0 ? "" : median(queryMs).toFixed(0),
      ];
    }),
  );
};

const judge = (load: string, [alone, beside]: readonly Cell[]): Verdict => ({
  what: `p99 beside the heaviest log query (${load})`,
  measured: medianSample(beside?.samples ?? []).p99Ms / medianSample(alone?.samples ?? []).p99Ms,
  budget: budgets.p99BesideLogQueryRatio,
  unit: " ×",
});

const measureBeside = async (dataDir: string, times: Times): Promise<Verdict[]> => {
  const stage = await startStage(false);
  const target = await startTollgate(stage.settings, dataDir);
  const neighbours = neighboursOf(target, await findHeaviest(target));
  const warm = { body: smallChat(false), connections: CONNECTIONS, durationMs: times.warmUpMs };
  await measure(stage, target, warm);
  const { perSecond: most } = await measure(stage, target, { ...warm, durationMs: times.roundMs });
  const rate = Math.max(100, Math.round((most * STEADY_SHARE) / 100) * 100);

  const steady = await runRounds(stage, target, neighbours, times, rate);
  formatCells(`JSON, steadily ${rate} requests a second over ${CONNECTIONS} connections`, steady);
  const closed = await runRounds(stage, target, neighbours, times, undefined);
  formatCells(
    `JSON, ${CONNECTIONS} connections in a closed loop: every core is busy without the query`,
    closed,
  );
  const samples = [...steady, ...closed].flatMap((cell) => cell.samples);
  printBackgroundLoad(steady[0]?.samples ?? []);
  await target.stop();
  await stage.stop();
  return [
    judge(`steadily ${rate} requests a second`, steady),
    judge("closed loop", closed),
    {
      what: "Requests that failed meanwhile",
      measured: samples.reduce((sum, { failed }) => sum + failed, 0),
      budget: 0,
      unit: "",
    },
  ];
};

export const logQuery: Part = async ({ isQuick, rows, queryFolder = createDataDir() }: Settings) => {
  await fillLog(
    { folder: queryFolder, env: {}, spans: SPANS },
    rows ?? (isQuick ? ROWS / 10 : ROWS),
    SERVER_FOLDER,
    print,
  );
  return measureBeside(queryFolder, isQuick ? QUICK : FULL);
};
