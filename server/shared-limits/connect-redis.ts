import { Redis } from "ioredis";
import type { RedisAddress } from "./read-redis-address";

/** How long one script may take: a request waits for it. */
const ANSWER_MS = 500;

/** How long a connection may take to be made. */
export const CONNECT_MS = 2000;

/**
 * A connection that says at once that it is not there, comes back by itself, and never sends anything twice: a request that was
 * counted must not be counted again.
 * @param onError told of what the connection itself meets; what a command meets, only who asked for it is told.
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
