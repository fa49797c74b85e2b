import { monitorEventLoopDelay } from "node:perf_hooks";
import type { NodeReport } from "@tollgate/contract/api/nodes";
import { PRODUCT_VERSION } from "@tollgate/contract/version";

/** What this node knows of itself, read when it tells. Undefined is what it does not have, as a database. */
export interface NodeFacts {
  /** Unix seconds. */
  readonly startTime: number;
  /** What people call it. */
  readonly name: string;
  /** Host and port; undefined before it listens. */
  address(): string | undefined;
  /** Whether it was told to stop. */
  isLeaving(): boolean;
  /** Requests for models: how many began since the start, and how many are under way; undefined before any may come. */
  requests(): { readonly begun: number; readonly active: number } | undefined;
  /** Open connections to Redis. */
  redisConnections(): number | undefined;
}

/** Tells the longest that the event loop was late since it was asked last, milliseconds. */
export type ReadDelay = () => number;

/** How often counters are looked at, so that a request costs nothing but its count. */
const SAMPLE_MS = 1000;

/** Over so many looks requests and delays are told. */
const SAMPLES = 10;

/** How often the event loop is looked at: 50 times a second take a thousandth of a core. */
const DELAY_RESOLUTION_MS = 20;

interface Sample {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly begun: number;
  /** The longest delay before it. */
  readonly delayMs: number;
}

/** What this node tells of itself: the others keep it with its sign of life. */
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
  // What it measures is the time from one look to the next, in nanoseconds.
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
