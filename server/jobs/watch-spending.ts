import type { AuditRecord } from "@tollgate/contract/records/audit-record";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import type { AuditChanges, KeyNetworkQueries, NoticeQueries } from "@tollgate/storage/accounts/site-ports";
import { DAY_SECONDS, HOUR_SECONDS, hourOf } from "@tollgate/storage/log/hours";
import type { NewModelSpending, UsageQueries } from "@tollgate/storage/log/ports";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

const EVERY_MS = 5 * 60_000;

/** Begin of an hour in which the one before is examined as well: one round at least, also after a restart. */
const LOOK_BACK_SECONDS = 600;

/** What counts as a key's past, and how much of it there must be: a new key has none to be compared with. */
const PAST_DAYS = 30;
const LEAST_DAYS = 1;

/** Keys reported per round, the largest spending first; the others follow in the next rounds. */
const AT_ONCE = 20;

/** Names of new models in a notice. */
const MAX_NAMES = 5;

const EVENTS = [
  "spending-unusual",
  "key-frozen",
  "models-unusual",
  "key-frozen-models",
  "networks-unusual",
  "key-frozen-networks",
] as const;

/** Why a key is reported. */
interface Unusual {
  tokenId: number;
  quota: number;
  /** The notice, and the one that says that the key was switched off as well. */
  events: readonly [(typeof EVENTS)[number], (typeof EVENTS)[number]];
  params: { usual: number } | { models: string } | { networks: number; requests: number };
}

/** A key with its owner. */
interface WatchedKey {
  name: string;
  status: number;
  userId: number;
  username: string;
}

export interface SpendingWatch {
  usage: Pick<UsageQueries, "keySpending" | "newModelSpending">;
  newUse: KeyNetworkQueries["newUse"];
  open: NoticeQueries["open"];
  options: Pick<Options, "number" | "isOn">;
  notices: Pick<Notices, "raise" | "resolve">;
  /** The key and its owner; undefined for a deleted one. */
  keyOf(id: number): WatchedKey | undefined;
  /** Switches a key off, as its owner does. */
  disableKey(userId: number, id: number): Promise<unknown>;
  audit: Pick<AuditChanges, "add">;
  /** Only one of several nodes runs this; when it is gone, the next one takes over. */
  isMine(): boolean;
  /** Unix seconds. */
  now(): number;
}

const onNewModels = (tokenId: number, models: readonly NewModelSpending[]): Unusual => ({
  tokenId,
  quota: models.reduce((sum, { quota }) => sum + quota, 0),
  events: ["models-unusual", "key-frozen-models"],
  params: {
    models: models
      .toSorted((a, b) => b.quota - a.quota)
      .slice(0, MAX_NAMES)
      .map(({ model }) => model)
      .join(", "),
  },
});

/** The audit's line of a freeze. The gateway decided it, so the line names no person and no address. */
const freezeLine = (
  { tokenId, quota, events, params }: Unusual,
  { userId, username }: WatchedKey,
  createdAt: number,
): AuditRecord => ({
  ...{ createdAt, userId: 0, username: "", address: "" },
  ...{ action: "token.disable", target: String(tokenId), beneficiary: { id: userId, username } },
  detail: JSON.stringify({ reason: events[0], quota, ...params }),
});

/** Finds the keys whose use is unusual now, each once. */
const createFinder = ({ usage, newUse, options, now }: SpendingWatch): (() => Promise<Unusual[]>) => {
  /** Keys that are used from networks from which they were not used before. */
  const findElsewhere = async (hour: number): Promise<Unusual[]> => {
    const least = options.number("UnusualNetworkRequests");
    if (least === 0) return [];
    const used = await newUse(hour, hour - LEAST_DAYS * DAY_SECONDS, least);
    return used.map(({ keyId, networks, requests }) => ({
      ...{ tokenId: keyId, quota: 0, events: ["networks-unusual", "key-frozen-networks"] as const },
      params: { networks, requests },
    }));
  };

  /** Keys whose spending is unusual, and those that spend on models that are new to them; each once. */
  const findSpending = async (hour: number): Promise<Unusual[]> => {
    const factor = options.number("UnusualSpendingFactor");
    const areModelsWatched = options.isOn("UnusualModels");
    if (factor === 0 && !areModelsWatched) return [];
    const least = options.number("UnusualSpendingQuota");
    const from = hour - PAST_DAYS * DAY_SECONDS;
    const spending = await usage.keySpending(hour, from, least);
    const known = spending.filter(({ firstHour }) => firstHour <= hour - LEAST_DAYS * DAY_SECONDS);
    const unusual = known
      .filter(({ quota, peakQuota }) => factor > 0 && quota >= factor * peakQuota)
      .map(
        ({ tokenId, quota, peakQuota }): Unusual => ({
          ...{ tokenId, quota, events: ["spending-unusual", "key-frozen"] },
          params: { usual: peakQuota },
        }),
      );
    const found = new Set(unusual.map(({ tokenId }) => tokenId));
    if (areModelsWatched && known.length > 0) {
      const isKnown = new Set(known.map(({ tokenId }) => tokenId));
      const fresh = await usage.newModelSpending(hour, from, Math.max(1, least));
      for (const tokenId of new Set(fresh.map((each) => each.tokenId)))
        if (isKnown.has(tokenId) && !found.has(tokenId))
          unusual.push(
            onNewModels(
              tokenId,
              fresh.filter((each) => each.tokenId === tokenId),
            ),
          );
    }
    return unusual;
  };

  /** Each key once. The last minutes of an hour are seen only after its end, and then belong to the past. */
  const findUnusual = async (): Promise<Unusual[]> => {
    const hour = hourOf(now());
    const hours = now() - hour < LOOK_BACK_SECONDS ? [hour, hour - HOUR_SECONDS] : [hour];
    const spending: Unusual[] = [];
    const elsewhere: Unusual[] = [];
    for (const each of hours) {
      spending.push(...(await findSpending(each)));
      elsewhere.push(...(await findElsewhere(each)));
    }
    const found = new Map<number, Unusual>();
    for (const each of [...spending.toSorted((a, b) => b.quota - a.quota), ...elsewhere])
      if (!found.has(each.tokenId)) found.set(each.tokenId, each);
    return [...found.values()];
  };
  return findUnusual;
};

/**
 * Finds keys that spend far more in an hour than in any hour of their last 30 days (option
 * UnusualSpendingFactor), or on models that they used in none of these hours (UnusualModels), and keys
 * that are used from new networks (UnusualNetworkRequests). Each is reported once until its spending is as usual again, and switched off if the site wants
 * that: its owner switches it on again, and the same spending does not switch it off again.
 */
export const watchingSpending = (watch: SpendingWatch): Job => {
  const { open, options, notices, keyOf, disableKey, audit, isMine, now } = watch;
  const findUnusual = createFinder(watch);

  const report = async (unusual: Unusual): Promise<void> => {
    const { tokenId, quota, events, params } = unusual;
    const key = keyOf(tokenId);
    if (!key) return;
    const { name, status, userId, username } = key;
    const isFrozen = options.isOn("FreezeUnusualKeys") && status === TOKEN_ENABLED;
    // First the switch: a report of it must not be the only thing that happens.
    if (isFrozen) await disableKey(userId, tokenId);
    notices.raise({
      event: events[isFrozen ? 1 : 0],
      subject: tokenId,
      userId,
      params: { id: tokenId, name, username, quota, ...params },
    });
    if (isFrozen) await audit.add(freezeLine(unusual, key, now()));
  };

  return {
    name: "watching-spending",
    everyMs: EVERY_MS,
    async run() {
      if (!isMine()) return;
      const unusual = await findUnusual();
      const found = new Set(unusual.map(({ tokenId }) => String(tokenId)));
      const known = new Set<string>();
      for (const { event, subject } of await open()) {
        const mine = EVENTS.find((each) => each === event);
        if (!mine) continue;
        known.add(subject);
        if (!found.has(subject)) notices.resolve(mine, subject);
      }
      // Keys that are gone, and the playground, which has none to switch off, must not take the places of others.
      const fresh = unusual.filter(
        ({ tokenId }) => !known.has(String(tokenId)) && keyOf(tokenId) !== undefined,
      );
      for (const spending of fresh.slice(0, AT_ONCE)) await report(spending);
    },
  };
};
