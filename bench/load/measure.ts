import { setTimeout as wait } from "node:timers/promises";
import type { Target } from "../targets/target";
import { CHAT_PATH } from "./chat-request";
import { cpuTicks, TICKS_PER_SECOND, threadTicks } from "./cpu-ticks";
import type { LoadOrder, LoadResult } from "./load-order";
import { machineTicks } from "./machine-work";
import { median } from "./median";
import { residentMb } from "./resident-memory";
import type { Stage } from "./stage";

/** Time for a target's work after its answers (such as log lines); it counts. */
const AFTERWORK_MS = 250;

/** Results of one round of load on a target. */
export interface Sample extends LoadResult {
  /** CPU time of all its threads for one request, in microseconds. */
  cpuUs: number;
  /** The same of their first threads alone: of the product the one that relays. */
  threadUs: number;
  perSecond: number;
  /** Resident memory after the round, in MB. */
  residentMb: number;
  /** Cores that programs other than ours kept busy meanwhile. */
  backgroundCores: number;
}

const firstThreads = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + threadTicks(pid), 0);

/** Sends load to a target. @param order all but the address */
export const measure = async (
  { load, pids }: Stage,
  target: Target,
  order: Omit<LoadOrder, "port" | "path" | "headers">,
): Promise<Sample> => {
  const ours = [...pids, ...target.pids];
  const startedAt = performance.now();
  const before = {
    target: cpuTicks(target.pids),
    threads: firstThreads(target.pids),
    ours: cpuTicks(ours),
    machine: machineTicks(),
  };
  const result = await load.run({
    ...order,
    port: target.port,
    path: CHAT_PATH,
    headers: target.headers,
  });
  await wait(AFTERWORK_MS);
  const ticks = ((performance.now() - startedAt) / 1000) * TICKS_PER_SECOND;
  const cpuSeconds = (cpuTicks(target.pids) - before.target) / TICKS_PER_SECOND;
  const threadSeconds = (firstThreads(target.pids) - before.threads) / TICKS_PER_SECOND;
  const otherTicks = machineTicks() - before.machine - (cpuTicks(ours) - before.ours);
  return {
    ...result,
    cpuUs: (cpuSeconds * 1e6) / result.requests,
    threadUs: (threadSeconds * 1e6) / result.requests,
    perSecond: (result.requests / result.elapsedMs) * 1000,
    residentMb: residentMb(target.pids),
    backgroundCores: Math.max(0, otherTicks / ticks),
  };
};

/** For each figure the median of the rounds; failures are summed. */
export const medianSample = (samples: readonly Sample[]): Sample => {
  const of = (figure: (sample: Sample) => number): number => median(samples.map(figure));
  return {
    requests: of((sample) => sample.requests),
    elapsedMs: of((sample) => sample.elapsedMs),
    p50Ms: of((sample) => sample.p50Ms),
    p99Ms: of((sample) => sample.p99Ms),
    cpuUs: of((sample) => sample.cpuUs),
    threadUs: of((sample) => sample.threadUs),
    perSecond: of((sample) => sample.perSecond),
    residentMb: of((sample) => sample.residentMb),
    backgroundCores: of((sample) => sample.backgroundCores),
    failed: samples.reduce((sum, { failed }) => sum + failed, 0),
    failure: samples.find(({ failure }) => failure !== undefined)?.failure,
  };
};
