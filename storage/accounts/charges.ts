import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { encodeRequests, type RequestEntry } from "../outbox/log-entry";

/** One request that ended: the payer, the charged quota, and its log entry. */
export interface Charge extends RequestEntry {
  /** The part of `quota` that is taken from the key: less than it where the key has no limit, or had no more. */
  tokenQuota: number;
}

interface Sum {
  quota: number;
  tokenQuota: number;
  count: number;
  lastAt: number;
}

const addTo = (sums: Map<number, Sum>, id: number, charge: Charge): void => {
  let sum = sums.get(id);
  if (!sum) {
    sum = { quota: 0, tokenQuota: 0, count: 0, lastAt: 0 };
    sums.set(id, sum);
  }
  sum.quota += charge.quota;
  sum.tokenQuota += charge.tokenQuota;
  sum.count += 1;
  sum.lastAt = Math.max(sum.lastAt, charge.createdAt);
};

type SumTuple = [id: number, quota: number, tokenQuota: number, count: number, lastAt: number];

/**
 * Sums of a channel, with the cost of its answers in thousandths of quota: the charged quota where the cost is unknown.
 * A tuple from an older journal has no `spent`.
 */
type ChannelTuple = [...SumTuple, spent?: number];

const SPENT_UNITS = 1000;

/**
 * Returns the cost that a tuple adds to its channel, limited to the column's maximum so that no charge fails over it.
 */
export const spentOf = ([, quota, , , , spent]: ChannelTuple): number =>
  Math.min(MAX_QUOTA, spent ?? quota * SPENT_UNITS);

/** Changes of a batch: each user, token and channel once, however many charges there are. */
export interface Changes {
  users: SumTuple[];
  tokens: SumTuple[];
  channels: ChannelTuple[];
}

const tuplesOf = (sums: Map<number, Sum>): SumTuple[] => {
  const tuples: SumTuple[] = [];
  sums.forEach((sum, id) => {
    tuples.push([id, sum.quota, sum.tokenQuota, sum.count, sum.lastAt]);
  });
  return tuples;
};

/** Adds the cost of ended attempts, which are no requests. */
const addEnded = (channels: Map<number, Sum>, spent: Map<number, number>, charge: Charge): void => {
  const { channelId, cost = 0 } = charge;
  if (!channels.has(channelId)) channels.set(channelId, { quota: 0, tokenQuota: 0, count: 0, lastAt: 0 });
  spent.set(channelId, (spent.get(channelId) ?? 0) + cost);
};

/** Sums up a batch. Requests that failed change nothing but the log; ended attempts cost their channels something. */
export const sumCharges = (charges: readonly Charge[]): Changes => {
  const users = new Map<number, Sum>();
  const tokens = new Map<number, Sum>();
  const channels = new Map<number, Sum>();
  const spent = new Map<number, number>();
  for (const charge of charges) {
    if (charge.count === "ended") addEnded(channels, spent, charge);
    if (charge.count !== "answered") continue;
    addTo(users, charge.userId, charge);
    addTo(tokens, charge.tokenId, charge);
    addTo(channels, charge.channelId, charge);
    const cost = charge.cost ?? charge.quota * SPENT_UNITS;
    spent.set(charge.channelId, (spent.get(charge.channelId) ?? 0) + cost);
  }
  return {
    users: tuplesOf(users),
    tokens: tuplesOf(tokens),
    channels: tuplesOf(channels).map((tuple) => [...tuple, spent.get(tuple[0]) ?? 0]),
  };
};

/**
 * Sums up and encodes a batch for the storage thread: messages are copied, and texts are copied fastest.
 * @returns JSON of the changes, and the log entries as the outbox stores them.
 */
export const encodeCharges = (charges: readonly Charge[]): [changes: string, entries: string] => [
  JSON.stringify(sumCharges(charges)),
  encodeRequests(charges),
];

/** Reads the output of encodeCharges, which only this product writes. */
export const decodeChanges = (text: string): Changes => JSON.parse(text);

/** Adds up the changes of several batches, so that each row is written once. */
export const mergeChanges = (batches: readonly Changes[]): Changes => {
  const [only] = batches;
  if (only && batches.length === 1) return only;
  const mergeKind = (kind: keyof Changes): SumTuple[] => {
    const merged = new Map<number, SumTuple>();
    for (const changes of batches) {
      for (const tuple of changes[kind]) {
        const sum = merged.get(tuple[0]);
        if (!sum) {
          merged.set(tuple[0], [tuple[0], tuple[1], tuple[2], tuple[3], tuple[4]]);
          continue;
        }
        sum[1] += tuple[1];
        sum[2] += tuple[2];
        sum[3] += tuple[3];
        sum[4] = Math.max(sum[4], tuple[4]);
      }
    }
    return [...merged.values()];
  };
  const spent = new Map<number, number>();
  for (const { channels } of batches)
    for (const tuple of channels) spent.set(tuple[0], (spent.get(tuple[0]) ?? 0) + spentOf(tuple));
  return {
    users: mergeKind("users"),
    tokens: mergeKind("tokens"),
    channels: mergeKind("channels").map(([id, quota, tokenQuota, count, lastAt]) => [
      id,
      quota,
      tokenQuota,
      count,
      lastAt,
      spent.get(id),
    ]),
  };
};
