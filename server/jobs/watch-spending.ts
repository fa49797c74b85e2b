import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import type { NoticeQueries } from "@tollgate/storage/accounts/site-ports";
import { DAY_SECONDS, hourOf } from "@tollgate/storage/log/hours";
import type { KeySpending, UsageQueries } from "@tollgate/storage/log/ports";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

const EVERY_MS = 5 * 60_000;

/** What counts as a key's past, and how much of it there must be: a new key has none to be compared with. */
const PAST_DAYS = 30;
const LEAST_DAYS = 1;

/** Keys reported per round, the largest spending first; the others follow in the next rounds. */
const AT_ONCE = 20;

const EVENTS = ["spending-unusual", "key-frozen"] as const;

export interface SpendingWatch {
  usage: Pick<UsageQueries, "keySpending">;
  open: NoticeQueries["open"];
  options: Pick<Options, "number" | "isOn">;
  notices: Pick<Notices, "raise" | "resolve">;
  /** The key and its owner; undefined for a deleted one. */
  keyOf(id: number): { name: string; status: number; userId: number; username: string } | undefined;
  /** Switches a key off, as its owner does. */
  disableKey(userId: number, id: number): Promise<unknown>;
  /** Only one of several nodes runs this; when it is gone, the next one takes over. */
  isMine(): boolean;
  /** Unix seconds. */
  now(): number;
}

/**
 * Finds keys that spend far more in the running hour than in any hour of their last 30 days (option
 * UnusualSpendingFactor). Each is reported once until its spending is as usual again, and switched off if the site wants
 * that: its owner switches it on again, and it stays on for the rest of that hour.
 */
export const watchingSpending = ({
  usage,
  open,
  options,
  notices,
  keyOf,
  disableKey,
  isMine,
  now,
}: SpendingWatch): Job => {
  const findUnusual = async (): Promise<KeySpending[]> => {
    const factor = options.number("UnusualSpendingFactor");
    if (factor === 0) return [];
    const hour = hourOf(now());
    const least = options.number("UnusualSpendingQuota");
    const spending = await usage.keySpending(hour, hour - PAST_DAYS * DAY_SECONDS, least);
    return spending
      .filter(({ firstHour }) => firstHour <= hour - LEAST_DAYS * DAY_SECONDS)
      .filter(({ quota, peakQuota }) => quota >= factor * peakQuota)
      .sort((a, b) => b.quota - a.quota);
  };

  const report = async ({ tokenId, quota, peakQuota }: KeySpending): Promise<void> => {
    const key = keyOf(tokenId);
    if (!key) return;
    const { name, status, userId, username } = key;
    const isFrozen = options.isOn("FreezeUnusualKeys") && status === TOKEN_ENABLED;
    // First the switch: a report of it must not be the only thing that happens.
    if (isFrozen) await disableKey(userId, tokenId);
    notices.raise({
      event: isFrozen ? "key-frozen" : "spending-unusual",
      subject: tokenId,
      userId,
      params: { id: tokenId, name, username, quota, usual: peakQuota },
    });
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
      const fresh = unusual.filter(({ tokenId }) => !known.has(String(tokenId)));
      for (const spending of fresh.slice(0, AT_ONCE)) await report(spending);
    },
  };
};
