import { Redis } from "ioredis";

/** How long one script may take: a request waits for it. */
const ANSWER_MS = 500;

/**
 * A connection that says at once that it is not there, comes back by itself, and never sends anything twice: a request that was
 * counted must not be counted again.
 * @param address `redis://…`, `rediss://…`, or the path of a socket.
 */
export const connectRedis = (address: string): Redis => {
  const redis = new Redis(address, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
  });
  // Each command says so as well, and who asked for it counts alone.
  redis.on("error", () => undefined);
  return redis;
};
