import { setTimeout as wait } from "node:timers/promises";
import { addApiKey, addUser, demand } from "@tollgate/demo/build-world";
import type { RedisServer } from "@tollgate/testkit/redis-server";
import { startRedis } from "@tollgate/testkit/redis-server";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { CHAT_MODEL, CHAT_PATH, smallChat } from "../load/chat-request";
import { TICKS_PER_SECOND } from "../load/cpu-ticks";
import { type LoadClient, startLoad } from "../load/load-client";
import type { LoadResult } from "../load/load-order";
import { measure, medianSample, type Sample } from "../load/measure";
import { median } from "../load/median";
import { LOAD_CORE, pin } from "../load/pin";
import { type Stage, startStage } from "../load/stage";
import { print, printTable } from "../print";
import {
  type BenchDatabase,
  COUNTED_MS,
  type DatabaseCounters,
  startDatabase,
} from "../targets/start-database";
import { SERVER_MAIN, startTollgate, type TollgateTarget } from "../targets/start-tollgate";
import type { Target } from "../targets/target";
import type { Verdict } from "../verdicts";
import { printBackgroundLoad } from "./background-load";
import type { Part } from "./part";

/*
 * The cost of several nodes: one on PostgreSQL beside one on SQLite, two and three nodes, an account that runs empty,
 * and limits counted in Redis. All nodes share one core; load, upstream, PostgreSQL and Redis the other.
 */

const CONNECTIONS = 32;
/** Slow enough to avoid queueing: the remaining latency is the route itself, and the wait at the last byte. */
const STEADY_PER_SECOND = 200;
/**
 * The same work for both in the same time, where the budget is held to: in a closed loop the one that waits for a commit has fewer
 * requests, and a thread that is woken for each of a few costs more than one that has always something to do.
 */
const BAR_PER_SECOND = 2000;
const BAR_CONNECTIONS = 256;
const MAX_NODES = 3;
/** Far above the load: counted, and never refused. */
const LIMITS = { rpm: 900_000_000, tpm: 900_000_000_000, concurrency: 1_000_000 };

interface Times {
  rounds: number;
  roundMs: number;
  /** Not measured, before each round. */
  settleMs: number;
  /** For each target with each kind of answer. */
  warmUpMs: number;
  /** Number of requests that the emptied account can pay for. */
  affordable: number;
}
const FULL: Times = { rounds: 5, roundMs: 3000, settleMs: 1000, warmUpMs: 12_000, affordable: 5000 };
const QUICK: Times = { rounds: 1, roundMs: 1000, settleMs: 250, warmUpMs: 1500, affordable: 300 };

const kindOf = (isStream: boolean): string => (isStream ? "SSE, 50 events" : "JSON, 1 KB");

interface Cell {
  isStream: boolean;
  connections: number;
  /** Undefined for a closed loop. */
  perSecond?: number;
}

const PACES: readonly Omit<Cell, "isStream">[] = [
  { connections: CONNECTIONS },
  { connections: CONNECTIONS, perSecond: STEADY_PER_SECOND },
  { connections: BAR_CONNECTIONS, perSecond: BAR_PER_SECOND },
];

/** A round, and PostgreSQL's work during it. */
interface Round {
  sample: Sample;
  /** CPU time of PostgreSQL for one request, in microseconds. */
  databaseUs: number;
}

const microsecondsOf = (ticks: number, requests: number): number =>
  (ticks * 1e6) / TICKS_PER_SECOND / requests;

const roundOf = async (
  stage: Stage,
  database: BenchDatabase,
  target: Target,
  order: Cell & { durationMs: number },
): Promise<Round> => {
  const before = database.ticks();
  const { isStream, durationMs, connections, perSecond } = order;
  const sample = await measure(stage, target, {
    body: smallChat(isStream),
    connections,
    durationMs,
    ...(perSecond === undefined ? {} : { perSecond }),
  });
  return { sample, databaseUs: microsecondsOf(database.ticks() - before, sample.requests) };
};

/** Several targets in alternating rounds. @returns the rounds of each, by its name. */
const alternate = async (
  stage: Stage,
  database: BenchDatabase,
  targets: readonly Target[],
  order: Cell,
  times: Times,
): Promise<Map<string, Round[]>> => {
  const rounds = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < times.rounds; round += 1)
    for (const target of targets) {
      await roundOf(stage, database, target, { ...order, durationMs: times.settleMs });
      rounds
        .get(target.name)
        ?.push(await roundOf(stage, database, target, { ...order, durationMs: times.roundMs }));
    }
  return rounds;
};

const sampleOf = (rounds: readonly Round[] = []): Sample => medianSample(rounds.map(({ sample }) => sample));

const formatRounds = (title: string, rounds: ReadonlyMap<string, Round[]>): void => {
  print(`\n${title}`);
  printTable(
    ["", "CPU/request", "its thread", "PostgreSQL", "p50 ms", "p99 ms", "req/s", "failed"],
    [...rounds].map(([name, list]) => {
      const sample = sampleOf(list);
      return [
        name,
        `${sample.cpuUs.toFixed(0)} µs`,
        `${sample.threadUs.toFixed(0)} µs`,
        `${median(list.map(({ databaseUs }) => databaseUs)).toFixed(0)} µs`,
        sample.p50Ms.toFixed(2),
        sample.p99Ms.toFixed(2),
        sample.perSecond.toFixed(0),
        String(sample.failed),
      ];
    }),
  );
  for (const [name, list] of rounds) {
    const { failure } = sampleOf(list);
    if (failure !== undefined) print(`  ${name}: ${failure.split("\r\n", 1)[0]}`);
  }
};

/** Ratios of one target to another per round: within a round both had the same share of the machine. */
const ratios = (
  rounds: ReadonlyMap<string, Round[]>,
  one: Target,
  other: Target,
  of: (sample: Sample) => number,
): number[] => {
  const bases = rounds.get(other.name) ?? [];
  return (rounds.get(one.name) ?? []).map(
    ({ sample }, index) => of(sample) / of(bases[index]?.sample ?? sample),
  );
};

const formatRatios = (what: string, values: readonly number[]): void => {
  const sorted = [...values].sort((a, b) => a - b);
  const [least = Number.NaN] = sorted;
  const most = sorted.at(-1) ?? Number.NaN;
  print(`  ${what}: ${median(sorted).toFixed(2)} × (${least.toFixed(2)} to ${most.toFixed(2)})`);
};

const warmUp = async (stage: Stage, targets: readonly Target[], times: Times): Promise<void> => {
  for (const isStream of [false, true])
    for (const target of targets)
      await measure(stage, target, {
        body: smallChat(isStream),
        connections: CONNECTIONS,
        durationMs: times.warmUpMs,
      });
};

/** One target beside another, JSON and SSE, in a closed loop and at a steady rate. @returns the ratios of the threads. */
const compare = async (
  stage: Stage,
  database: BenchDatabase,
  [one, other]: readonly [Target, Target],
  times: Times,
): Promise<{ all: Sample[]; threads: Map<string, number> }> => {
  await warmUp(stage, [other, one], times);
  const all: Sample[] = [];
  const threads = new Map<string, number>();
  for (const isStream of [false, true]) {
    for (const pace of PACES) {
      const { connections, perSecond } = pace;
      const rounds = await alternate(stage, database, [other, one], { isStream, ...pace }, times);
      all.push(...[...rounds.values()].flat().map(({ sample }) => sample));
      const how = perSecond === undefined ? "closed loop" : `steadily ${perSecond} a second`;
      formatRounds(`${kindOf(isStream)}, ${connections} connections, ${how}`, rounds);
      const ofThreads = ratios(rounds, one, other, ({ threadUs }) => threadUs);
      formatRatios("CPU of the relaying thread", ofThreads);
      formatRatios(
        "CPU of the process",
        ratios(rounds, one, other, ({ cpuUs }) => cpuUs),
      );
      if (perSecond === BAR_PER_SECOND) threads.set(kindOf(isStream), median(ofThreads));
      if (perSecond === STEADY_PER_SECOND) {
        const waits = sampleOf(rounds.get(one.name)).p50Ms - sampleOf(rounds.get(other.name)).p50Ms;
        print(`  An answer comes ${waits.toFixed(2)} ms later, in the median: the wait for the commit.`);
      }
    }
  }
  return { all, threads };
};

const portOf = (server: ServerProcess): number => Number(new URL(server.url).port);

/** Another node of the site. */
const startNode = (stage: Stage, env: Record<string, string>): Promise<ServerProcess> =>
  startServer({ main: SERVER_MAIN, prefix: pin(stage.settings.core), dataDir: createDataDir(), env });

const addUpResults = (results: readonly LoadResult[]) => ({
  requests: results.reduce((sum, { requests }) => sum + requests, 0),
  failed: results.reduce((sum, { failed }) => sum + failed, 0),
  failure: results.find(({ failure }) => failure !== undefined)?.failure,
  elapsedMs: Math.max(...results.map(({ elapsedMs }) => elapsedMs)),
  p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
  p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
});

/** PostgreSQL's counters during a step. */
const countMeanwhile = async (
  database: BenchDatabase,
  step: () => Promise<void>,
): Promise<DatabaseCounters | undefined> => {
  await wait(COUNTED_MS);
  const before = database.counters();
  await step();
  await wait(COUNTED_MS);
  const after = database.counters();
  if (!before || !after) return undefined;
  return {
    commits: after.commits - before.commits,
    walBytes: after.walBytes - before.walBytes,
    connections: after.connections,
  };
};

/** Queries of nodes to PostgreSQL: without requests, and under a steady load of one of them. */
const countAsked = async (
  stage: Stage,
  database: BenchDatabase,
  node: Target,
  nodes: number,
  times: Times,
): Promise<void> => {
  const idleMs = times.warmUpMs;
  const idle = await countMeanwhile(database, () => wait(idleMs));
  if (!idle) return print("\n  What PostgreSQL is asked is left out: there is no psql.");
  const seconds = (idleMs + COUNTED_MS) / 1000;
  const rates: string[] = [];
  for (const perSecond of [STEADY_PER_SECOND, 5 * STEADY_PER_SECOND]) {
    let sent = 0;
    const loaded = await countMeanwhile(database, async () => {
      const { requests } = await measure(stage, node, {
        body: smallChat(false),
        connections: 4 * CONNECTIONS,
        durationMs: times.warmUpMs,
        perSecond,
      });
      sent = requests;
    });
    if (!loaded || sent === 0) continue;
    rates.push(
      `at ${((sent / times.warmUpMs) * 1000).toFixed(0)} requests a second of one node ${(loaded.commits / sent).toFixed(3)} commits and ${(loaded.walBytes / sent).toFixed(0)} bytes of WAL a request`,
    );
  }
  print(
    `\n  What ${nodes} nodes ask of PostgreSQL: idle ${(idle.commits / seconds).toFixed(1)} commits and ${(idle.walBytes / seconds).toFixed(0)} bytes of WAL a second by ${idle.connections} connections; ${rates.join("; ")}.`,
  );
};

/** The same load over one, two and three nodes at the same time. */
const measureNodes = async (
  stage: Stage,
  database: BenchDatabase,
  { servers, loads, headers }: { servers: ServerProcess[]; loads: LoadClient[]; headers: Target["headers"] },
  times: Times,
): Promise<void> => {
  const rows: string[][] = [];
  for (const isStream of [false, true]) {
    for (let count = 1; count <= MAX_NODES; count += 1) {
      const chosen = servers.slice(0, count);
      const run = async (durationMs: number) =>
        addUpResults(
          await Promise.all(
            chosen.map((server, index) =>
              (loads[index] as LoadClient).run({
                port: portOf(server),
                path: CHAT_PATH,
                headers,
                body: smallChat(isStream),
                connections: Math.floor((CONNECTIONS * MAX_NODES) / count),
                durationMs,
              }),
            ),
          ),
        );
      await run(times.warmUpMs);
      const target: Target = {
        name: `${count}`,
        port: 0,
        pids: chosen.map(({ pid }) => pid),
        headers,
        stop: async () => {},
      };
      const rounds: (ReturnType<typeof addUpResults> & { cpuUs: number; databaseUs: number })[] = [];
      for (let round = 0; round < times.rounds; round += 1) {
        const before = database.ticks();
        let result: ReturnType<typeof addUpResults> | undefined;
        const load = {
          pid: stage.load.pid,
          run: async () => {
            result = await run(times.roundMs);
            return result;
          },
          stop: async () => {},
        };
        const { cpuUs } = await measure({ ...stage, load }, target, {
          body: "",
          connections: 0,
          durationMs: 0,
        });
        if (result)
          rounds.push({
            ...result,
            cpuUs,
            databaseUs: microsecondsOf(database.ticks() - before, result.requests),
          });
      }
      const of = (figure: (round: (typeof rounds)[number]) => number, digits = 0): string =>
        median(rounds.map(figure)).toFixed(digits);
      rows.push([
        `${kindOf(isStream)}, ${count} node${count === 1 ? "" : "s"}`,
        of(({ requests, elapsedMs }) => (requests / elapsedMs) * 1000),
        `${of(({ cpuUs }) => cpuUs)} µs`,
        `${of(({ databaseUs }) => databaseUs)} µs`,
        of(({ p50Ms }) => p50Ms, 2),
        of(({ p99Ms }) => p99Ms, 2),
        of(({ failed }) => failed),
      ]);
    }
  }
  print(
    `\nOne to ${MAX_NODES} nodes on one core together, ${CONNECTIONS * MAX_NODES} connections in all, closed loop`,
  );
  printTable(["", "req/s", "CPU/request", "PostgreSQL", "p50 ms", "p99 ms", "failed"], rows);
};

/** Its hold is only slightly larger than its cost. */
const TINY_CHAT = JSON.stringify({
  model: CHAT_MODEL,
  max_tokens: 5,
  messages: [{ role: "user", content: "hello" }],
});
const EMPTYING_CONNECTIONS = 48;

/**
 * An account with quota for a known number of requests gets more at the same time; single requests to each node in turn
 * then use the rest, until every node refuses. The minimum and maximum possible result are the same number.
 */
const runEmpty = async (
  node: TollgateTarget,
  { servers, loads }: { servers: ServerProcess[]; loads: LoadClient[] },
  name: string,
  affordable: number,
): Promise<Verdict> => {
  const user = await addUser(node.root, node.server.signIn, `emptied-${servers.length}`, {
    quota: 1_000_000,
  });
  const token = await addApiKey(user, { unlimited_quota: true });
  const headers = { authorization: `Bearer sk-${token.key}` };
  const readUser = async () =>
    (await demand(user.api("GET", "/api/user/self"))) as { quota: number; used_quota: number };
  const send = (server: ServerProcess, at: number, connections: number, requestsPerConnection: number) =>
    (loads[at] as LoadClient).run({
      port: portOf(server),
      path: CHAT_PATH,
      headers,
      body: TINY_CHAT,
      connections,
      durationMs: 600_000,
      requestsPerConnection,
    });
  await send(node.server, 0, 1, 1);
  const price = (await readUser()).used_quota;
  await demand(node.root.api("PUT", "/api/user/", { id: user.id, quota: price * affordable }));

  const connections = EMPTYING_CONNECTIONS / servers.length;
  const each = Math.ceil((1.2 * affordable) / EMPTYING_CONNECTIONS);
  const burst = addUpResults(
    await Promise.all(servers.map((server, at) => send(server, at, connections, each))),
  );
  let served = burst.requests - burst.failed;
  const servedAtOnce = served;
  for (let servedNow = 1; servedNow > 0; ) {
    servedNow = 0;
    for (const [at, server] of servers.entries()) {
      const { requests, failed } = await send(server, at, 1, 10);
      servedNow += requests - failed;
    }
    served += servedNow;
  }
  const [seconds, p50, p99] = [burst.elapsedMs / 1000, burst.p50Ms, burst.p99Ms];
  print(
    `  ${name}: of ${affordable} affordable requests ${servedAtOnce} were served at once in ${seconds.toFixed(1)} s (p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms), ${burst.failed} refused meanwhile; ${served} in the end, ${(await readUser()).quota} of quota left of ${price * affordable}.`,
  );
  if (burst.failure !== undefined) {
    const [status = "", ...rest] = burst.failure.split("\r\n");
    print(`    the first refusal: ${status} ${rest.at(-1) ?? ""}`);
  }
  return {
    what: `Requests that an account afforded and that were refused for good (${name})`,
    measured: Math.abs(affordable - served),
    budget: 0,
    unit: "",
  };
};

const limitedRelay = async (
  stage: Stage,
  database: BenchDatabase,
  node: TollgateTarget,
  redis: RedisServer,
  times: Times,
): Promise<Sample[]> => {
  const token = await addApiKey(node.root, { unlimited_quota: true, name: "limited", ...LIMITS });
  const server = await startNode(stage, { ...database.env, REDIS_URL: redis.address });
  const limited: Target = {
    name: "limited, counted in Redis",
    port: portOf(server),
    pids: [server.pid],
    headers: { authorization: `Bearer sk-${token.key}` },
    stop: async () => {
      await server.stop();
    },
  };
  const { all } = await compare(stage, database, [limited, { ...node, name: "without a limit" }], times);
  await limited.stop();
  return all;
};

const startRedisIfFound = async (): Promise<RedisServer | undefined> => {
  try {
    return await startRedis();
  } catch (error) {
    print(`  Limits in Redis are left out: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
};

export const nodes: Part = async ({ isQuick }) => {
  const times = isQuick ? QUICK : FULL;
  const stage = await startStage(true);
  const database = await startDatabase(stage.settings.core === undefined ? undefined : LOAD_CORE);
  const sqlite = await startTollgate(stage.settings);
  const node = await startTollgate({ ...stage.settings, env: { ...stage.settings.env, ...database.env } });
  print(
    `  ${times.rounds} rounds of ${times.roundMs / 1000} s, medians; ratios round by round, their median and range.`,
  );

  const pair = [
    { ...node, name: "PostgreSQL" },
    { ...sqlite, name: "SQLite" },
  ] as const;
  const { all, threads } = await compare(stage, database, pair, times);
  const verdicts: Verdict[] = [...threads].map(([kind, measured]) => ({
    what: `CPU of the relaying thread per request, PostgreSQL beside SQLite (${kind}, ${BAR_PER_SECOND} a second)`,
    measured,
    budget: budgets.relayingThreadOnPostgresRatio,
    unit: " ×",
  }));

  const more = await Promise.all([startNode(stage, database.env), startNode(stage, database.env)]);
  const servers = [node.server, ...more];
  const loads = [stage.load, startLoad(LOAD_CORE), startLoad(LOAD_CORE)];
  await measureNodes(stage, database, { servers, loads, headers: node.headers }, times);
  await countAsked(stage, database, node, servers.length, times);

  print("\nAn account that runs empty, 48 connections");
  const { affordable } = times;
  verdicts.push(
    await runEmpty(sqlite, { servers: [sqlite.server], loads }, "SQLite", affordable),
    await runEmpty(node, { servers: [node.server], loads }, "one node", affordable),
    await runEmpty(node, { servers, loads }, "three nodes", affordable),
  );
  for (const server of more) await server.stop();
  for (const load of loads.slice(1)) await load.stop();
  await sqlite.stop();

  const redis = await startRedisIfFound();
  if (redis) {
    all.push(...(await limitedRelay(stage, database, node, redis, times)));
    await redis.stop();
  }
  await node.stop();
  await database.stop();
  await stage.stop();
  printBackgroundLoad(all);
  const failed = all.reduce((sum, sample) => sum + sample.failed, 0);
  return [...verdicts, { what: "Requests that failed meanwhile", measured: failed, budget: 0, unit: "" }];
};
