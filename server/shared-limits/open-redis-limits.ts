import { randomUUID } from "node:crypto";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type { Rates } from "@tollgate/relay/limits/rates";
import type { SharedConversations } from "@tollgate/relay/ports/relay-ports";
import type { Redis } from "ioredis";
import { CONNECT_MS, connectRedis } from "./connect-redis";
import { explainRedisFault } from "./explain-redis-fault";
import type { RedisAddress } from "./read-redis-address";
import { budgetsInRedis, type ExchangeBudgets } from "./redis-budgets";
import { RedisConversations } from "./redis-conversations";
import { loadScripts } from "./scripts";
import { RENEW_MS, SharedRates } from "./shared-rates";

/** Interval for checking whether a lost server is back. */
const ASK_MS = 1000;

/** One Redis may serve several installations: the keys of each have a name that only its nodes know. */
const PREFIX = "tollgate";
const NAME_CHARACTERS = 12;

export interface RedisLimitsSettings {
  address: RedisAddress;
  /** This node's rank among the living nodes, needed while the server is gone. */
  nodeRank: () => NodeRank;
  /** Keyed hash of a text, with a key shared only by all nodes of an installation. */
  hash: (text: string) => string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Called each time the server is lost, with the fault and the remedy; and when it is back. */
  onLost: (advice: string) => void;
  onBack: () => void;
  /** Something is wrong with a server that counts. */
  onWarning: (advice: string) => void;
}

/** Data that nodes count and share. */
export interface RedisLimits {
  rates: Rates;
  conversations: SharedConversations;
  exchangeBudgets: ExchangeBudgets;
  connections(): number;
  close(): Promise<void>;
}

/** Whether the server may evict data before it expires: all of it has a time to live. */
const evicts = (info: string): boolean =>
  /^maxmemory:[1-9]/m.test(info) && !/^maxmemory_policy:noeviction/m.test(info);

const EVICTS =
  "the Redis server throws away keys when its memory is full, and limits with them: set its maxmemory-policy to noeviction";

/** Resolves when the connection is ready, or has failed. */
const settled = (redis: Redis): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, CONNECT_MS);
    for (const event of ["ready", "error"] as const)
      redis.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
  });

/**
 * Counts limits and remembers conversations on one Redis server. An unreachable server does not keep a node from
 * starting: it is reported, and retried.
 */
export const openRedisLimits = async (settings: RedisLimitsSettings): Promise<RedisLimits> => {
  const { address, nodeRank, hash, now, onBack } = settings;
  const prefix = `${PREFIX}:${hash("the names of keys in Redis").slice(0, NAME_CHARACTERS)}`;
  let ofConnection: Error | undefined;
  let isClosed = false;
  const warned = new Set<string>();
  const warn = (advice: string): void => {
    if (warned.has(advice)) return;
    warned.add(advice);
    settings.onWarning(advice);
  };
  const redis = connectRedis(address, (error) => {
    ofConnection = error;
    // The connection continues with the database 0.
    if (/DB index/.test(error.message)) warn(explainRedisFault(error, undefined));
  });
  redis.on("ready", () => {
    ofConnection = undefined;
    redis.info("memory").then(
      (info) => {
        if (evicts(info)) warn(EVICTS);
      },
      // Not every user may ask that.
      () => undefined,
    );
  });
  const [run, node] = [loadScripts(redis), randomUUID()];
  const rates = new SharedRates(run, {
    node,
    prefix,
    now,
    rank: nodeRank,
    onLost(error) {
      // Errors after closing the connection concern no request.
      if (!isClosed) settings.onLost(explainRedisFault(error, ofConnection));
    },
    onBack,
  });
  await settled(redis);
  await rates.renew();
  let renewedAt = performance.now();
  let isRenewing = false;
  const timer = setInterval(() => {
    if (isRenewing || (!rates.isAlone && performance.now() - renewedAt < RENEW_MS)) return;
    isRenewing = true;
    renewedAt = performance.now();
    rates.renew().finally(() => {
      isRenewing = false;
    });
  }, ASK_MS);
  timer.unref();
  return {
    rates,
    conversations: new RedisConversations(redis, { prefix, hash, now }),
    exchangeBudgets: budgetsInRedis(run, node, prefix),
    connections: () => (redis.status === "ready" ? 1 : 0),
    async close() {
      isClosed = true;
      clearInterval(timer);
      // Sent commands are executed first.
      await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  };
};
