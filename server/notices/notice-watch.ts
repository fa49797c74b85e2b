import { balanceOf } from "@tollgate/contract/api/channels";
import type { OpenIncident } from "@tollgate/contract/records/notice-record";
import { CHANNEL_DISABLED_AUTOMATICALLY } from "@tollgate/contract/values/statuses";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { NoticeChanges } from "@tollgate/storage/accounts/site-ports";

/** Interval between checks. Nodes receive each other's changes long before. */
const EVERY_MS = 60_000;

/** Users notified per round of their own thresholds; the others follow in the next rounds. */
const AT_ONCE = 500;

export interface NoticeWatchTools {
  read: Pick<AccountQueries, "notices" | "users" | "channels">;
  write: Pick<NoticeChanges, "resolve" | "reopen">;
  channels: Pick<Channels, "keysOutOfUse">;
  /** Balance below which users without their own threshold are notified. */
  remindBelow(): number;
  /** Receives users whose balance is below their own threshold. */
  onBelowOwn(userId: number, quota: number): void;
  /** A channel whose balance at its upstream is below this is reported. */
  upstreamBelow(): number;
  /** Quota per USD. */
  quotaPerUnit(): number;
  nowMs(): number;
}

/**
 * Finds incidents that are over: code that ends one need not report it, and a missed end does not leave it open for
 * ever and suppress the next one. Also finds balances below a user's own threshold, which a charge would have to query.
 */
export const createNoticeWatch = ({
  read,
  write,
  channels,
  remindBelow,
  onBelowOwn,
  upstreamBelow,
  quotaPerUnit,
  nowMs,
}: NoticeWatchTools): (() => Promise<void>) => {
  let lookedAt = 0;

  const thresholdOf = async (userId: number): Promise<number> =>
    (await read.notices.remindBelow(userId)) ?? remindBelow();

  /** @returns undefined where only the code that raised it knows. */
  const isOver = async ({ event, subject }: OpenIncident): Promise<boolean | undefined> => {
    const id = Number(subject);
    switch (event) {
      case "channel-disabled":
        return !channels
          .keysOutOfUse()
          .some(({ channel }) => channel.id === id && channel.status === CHANNEL_DISABLED_AUTOMATICALLY);
      case "key-disabled":
        return !channels.keysOutOfUse().some(({ channel }) => channel.id === id);
      case "upstream-balance-low": {
        const channel = await read.channels.find(id);
        return !channel || balanceOf(channel, quotaPerUnit()) >= upstreamBelow();
      }
      case "balance-low":
      case "balance-used-up": {
        const user = await read.users.find(id);
        return !user || user.quota >= (event === "balance-low" ? await thresholdOf(id) : 1);
      }
      default:
        return undefined;
    }
  };

  return async () => {
    if (nowMs() - lookedAt < EVERY_MS) return;
    lookedAt = nowMs();
    for (const incident of await read.notices.open()) {
      const over = await isOver(incident);
      if (over === true && !incident.isResolved) await write.resolve(incident, Math.floor(nowMs() / 1000));
      else if (over === false && incident.isResolved) await write.reopen(incident);
    }
    for (const { userId, quota } of await read.notices.belowOwn(AT_ONCE)) onBelowOwn(userId, quota);
  };
};
