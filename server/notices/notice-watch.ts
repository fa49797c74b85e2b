import type { OpenIncident } from "@tollgate/contract/records/notice-record";
import { CHANNEL_DISABLED_AUTOMATICALLY } from "@tollgate/contract/values/statuses";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { AccountQueries, NoticeChanges } from "@tollgate/storage/accounts/ports";

/** How often it is looked. Nodes hear of each other's changes long before. */
const EVERY_MS = 60_000;

export interface NoticeWatchTools {
  read: Pick<AccountQueries, "notices" | "users" | "channels">;
  write: Pick<NoticeChanges, "resolve" | "reopen">;
  channels: Pick<Channels, "keysOutOfUse">;
  /** Below which balance a user is told. */
  remindBelow(userId: number): number;
  /** Below which balance at its upstream a channel is told of. */
  upstreamBelow(): number;
  nowMs(): number;
}

/**
 * Looks which incidents are over: whoever ended one needs to tell nobody, and one whose end was missed does not stay open for ever,
 * untold the next time.
 */
export const createNoticeWatch = ({
  read,
  write,
  channels,
  remindBelow,
  upstreamBelow,
  nowMs,
}: NoticeWatchTools): (() => Promise<void>) => {
  let lookedAt = 0;

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
        return !channel || channel.balance >= upstreamBelow();
      }
      case "balance-low":
      case "balance-used-up": {
        const user = await read.users.find(id);
        return !user || user.quota >= (event === "balance-low" ? remindBelow(id) : 1);
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
  };
};
