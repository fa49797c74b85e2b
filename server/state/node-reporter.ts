import { monitorEventLoopDelay } from "node:perf_hooks";
import type { NodeReport } from "@tollgate/contract/api/nodes";
import { PRODUCT_VERSION } from "@tollgate/contract/version";

/** Facts for this node's reports, read at each report. Undefined for parts it lacks, such as a database. */
export interface NodeFacts {
  /** Unix seconds. */
  readonly startTime: number;
  /** Its name for people. */
  readonly name: string;
  /** Host and port; undefined before it listens. */
  address(): string | undefined;
  /** Whether it is stopping. */
  isLeaving(): boolean;
  /** Requests for models: the number begun since the start, and of running ones; undefined before any may come. */
  requests(): { readonly begun: number; readonly active: number } | undefined;
  /** Open connections to Redis. */
  redisConnections(): number | undefined;
}

/** Returns the longest delay of the event loop since the last call, milliseconds. */
export type ReadDelay = () => number;

/** Interval for sampling counters, so that a request costs only its count. */
const SAMPLE_MS = 1000;

/** Number of samples covered by reported requests and delays. */
const SAMPLES = 10;

/** Interval for measuring the event loop: 50 times a second take a thousandth of a core. */
const DELAY_RESOLUTION_MS = 20;

interface Sample {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly begun: number;
  /** The longest delay before it. */
  readonly delayMs: number;
}

/** This node's report: the other nodes receive it with its heartbeat. */
export class NodeReporter {
  private readonly samples: Sample[];

  /** @param now monotonic milliseconds. */
  constructor(
    private readonly facts: NodeFacts,
    private readonly readDelay: ReadDelay,
    private readonly now: () => number,
  ) {
    this.samples = [{ at: now(), begun: this.begun, delayMs: 0 }];
  }

  /** Looks at the counters; to be called once a second. */
  sample(): void {
    this.samples.push({
      at: this.now(),
      begun: this.begun,
      delayMs: this.readDelay(),
    });
    if (this.samples.length > SAMPLES) this.samples.shift();
  }

  private get begun(): number {
    return this.facts.requests()?.begun ?? 0;
  }

  report(): NodeReport {
    const { facts, samples } = this;
    const [oldest] = samples;
    return {
      name: facts.name,
      address: facts.address(),
      version: PRODUCT_VERSION,
      started_at: facts.startTime,
      is_leaving: facts.isLeaving(),
      recent_requests: this.begun - (oldest?.begun ?? 0),
      recent_ms: Math.round(this.now() - (oldest?.at ?? 0)),
      active_requests: facts.requests()?.active ?? 0,
      event_loop_delay_ms: Math.round(Math.max(...samples.map(({ delayMs }) => delayMs))),
      memory_bytes: process.memoryUsage.rss(),
      redis_connections: facts.redisConnections(),
    };
  }
}

/** Looks at the counters by itself, and keeps no process from ending. */
export const startNodeReporter = (facts: NodeFacts): { report(): NodeReport; stop(): void } => {
  const histogram = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  histogram.enable();
  // The histogram measures the time between two checks, in nanoseconds.
  const readDelay = (): number => {
    const delayMs = histogram.count === 0 ? 0 : histogram.max / 1e6 - DELAY_RESOLUTION_MS;
    histogram.reset();
    return Math.max(0, delayMs);
  };
  const reporter = new NodeReporter(facts, readDelay, () => performance.now());
  const timer = setInterval(() => reporter.sample(), SAMPLE_MS).unref();
  return {
    report: () => reporter.report(),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
};
