import { balanceOf } from "@tollgate/contract/api/channels";
import type { OpenIncident } from "@tollgate/contract/records/notice-record";
import { CHANNEL_DISABLED_AUTOMATICALLY } from "@tollgate/contract/values/statuses";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { NoticeChanges } from "@tollgate/storage/accounts/site-ports";

/** How often it is looked. Nodes hear of each other's changes long before. */
const EVERY_MS = 60_000;

/** How many users are told of their own thresholds at one look; the next ones at the next. */
const AT_ONCE = 500;

export interface NoticeWatchTools {
  read: Pick<AccountQueries, "notices" | "users" | "channels">;
  write: Pick<NoticeChanges, "resolve" | "reopen">;
  channels: Pick<Channels, "keysOutOfUse">;
  /** Below which balance users are told who say nothing else. */
  remindBelow(): number;
  /** Told of users whose balance is below their own threshold. */
  onBelowOwn(userId: number, quota: number): void;
  /** Below which balance at its upstream a channel is told of. */
  upstreamBelow(): number;
  /** Quota per USD. */
  quotaPerUnit(): number;
  nowMs(): number;
}

/**
 * Looks which incidents are over: code that ends one need not tell, and one whose end was missed does not stay open for ever,
 * untold the next time. And looks whose balance is below a threshold of their own: a charge would have to ask for it.
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

  /** @returns undefined where only who raised it can say. */
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
