import { DividedRates } from "@tollgate/relay/limits/divided-rates";
import { MemoryRates } from "@tollgate/relay/limits/memory-rates";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type { Rates } from "@tollgate/relay/limits/rates";
import type { Logger } from "pino";
import type { RedisLimits } from "./open-redis-limits";
import type { RedisAddress } from "./read-redis-address";

/** Counters of limits, and memory of conversations. */
export interface OpenedLimits extends Partial<RedisLimits> {
  rates: Rates;
}

/** Dependencies of counting other than a server. */
interface LimitTools {
  /** This node's rank among the living nodes; undefined for an engine with a single node. */
  nodeRank: (() => NodeRank) | undefined;
  /** Keyed hash of a text, with the master key. */
  hash(text: string): string;
  /** Milliseconds since the epoch. */
  now(): number;
  logger: Pick<Logger, "info" | "warn">;
}

/** Counts on the Redis server shared by all nodes; without one each node counts its share of each limit. */
export const openLimits = async (
  address: RedisAddress | undefined,
  { nodeRank, hash, now, logger }: LimitTools,
): Promise<OpenedLimits> => {
  if (address === undefined) {
    const alone = new MemoryRates(now);
    return { rates: nodeRank ? new DividedRates(alone, nodeRank) : alone };
  }
  // Without a Redis server its driver is not loaded.
  const { openRedisLimits } = await import("./open-redis-limits");
  return openRedisLimits({
    address,
    nodeRank: nodeRank ?? (() => ({ nodes: 1, rank: 0 })),
    hash,
    now,
    onLost: (reason) =>
      logger.warn({ reason }, "Redis counts no limits: until it is back each node lets in its share of them"),
    onBack: () => logger.info("Redis is back: all nodes count limits together"),
    onWarning: (reason) => logger.warn({ reason }, "Redis is not set up as limits need it"),
  });
};
