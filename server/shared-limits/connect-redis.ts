import { Redis } from "ioredis";
import type { RedisAddress } from "./read-redis-address";

/** Timeout of one script: a request waits for it. */
const ANSWER_MS = 500;

/** Timeout for connecting. */
export const CONNECT_MS = 2000;

/**
 * A connection that fails immediately while disconnected, reconnects by itself, and never sends anything twice: a
 * counted request must not be counted again.
 * @param onError receives the connection's own errors; a command's error goes only to its caller.
 */
export const connectRedis = (address: RedisAddress, onError: (error: Error) => void = () => {}): Redis => {
  const redis = new Redis({
    ...address,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    connectTimeout: CONNECT_MS,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
  });
  redis.on("error", onError);
  return redis;
};
