import { DividedRates } from "@tollgate/relay/limits/divided-rates";
import { MemoryRates } from "@tollgate/relay/limits/memory-rates";
import type { LivePlace } from "@tollgate/relay/limits/node-share";
import type { Rates } from "@tollgate/relay/limits/rates";
import type { Logger } from "pino";
import type { RedisLimits } from "./open-redis-limits";
import type { RedisAddress } from "./read-redis-address";

/** Where limits are counted and conversations known. */
export interface OpenedLimits extends Partial<RedisLimits> {
  rates: Rates;
}

/** What counting needs besides a server. */
interface LimitTools {
  /** Which of the living nodes this is; undefined where there never is another one. */
  livePlace: (() => LivePlace) | undefined;
  /** Of a text, with the master key. */
  hash(text: string): string;
  /** Milliseconds since the epoch. */
  now(): number;
  logger: Pick<Logger, "info" | "warn">;
}

/** Counts on the Redis server that all nodes share; without one each node for itself, its share of each limit. */
export const openLimits = async (
  address: RedisAddress | undefined,
  { livePlace, hash, now, logger }: LimitTools,
): Promise<OpenedLimits> => {
  if (address === undefined) {
    const alone = new MemoryRates(now);
    return { rates: livePlace ? new DividedRates(alone, livePlace) : alone };
  }
  // A process without a server loads no driver of it.
  const { openRedisLimits } = await import("./open-redis-limits");
  return openRedisLimits({
    address,
    livePlace: livePlace ?? (() => ({ nodes: 1, place: 0 })),
    hash,
    now,
    onLost: (reason) =>
      logger.warn({ reason }, "Redis counts no limits: until it is back each node lets in its share of them"),
    onBack: () => logger.info("Redis is back: all nodes count limits together"),
    onWarning: (reason) => logger.warn({ reason }, "Redis is not set up as limits need it"),
  });
};
