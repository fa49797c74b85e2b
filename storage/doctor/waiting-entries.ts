import { REFUNDED, TAKEN_BACK } from "../outbox/log-content";
import { decodeEntries } from "../outbox/log-entry";

/** Sums of the charges without a log line: there may be too many to keep each. */
export class WaitingEntries {
  /** Requests, with those that failed. */
  requests = 0;
  readonly quotaOfUsers = new Map<number, number>();
  readonly quotaOfKeys = new Map<number, number>();
  readonly quotaOfChannels = new Map<number, number>();
  /** How many answered requests each user has here. */
  readonly requestsOfUsers = new Map<number, number>();
  /** The quota of charges that were taken back, by their requests: there are few. */
  readonly reversals = new Map<string, number>();
  readonly unreadableRows: number[] = [];

  /** @param row its id. @param batch its text, as storage/outbox/log-entry.ts writes it. */
  add(row: number, batch: string): void {
    const entries: Parameters<Parameters<typeof decodeEntries>[1]>[0][] = [];
    try {
      decodeEntries(
        batch,
        (entry) => entries.push(entry),
        () => {},
      );
    } catch {
      this.unreadableRows.push(row);
    }
    for (const { requestId, userId, tokenId, channelId, quota, count, content } of entries) {
      if (content !== REFUNDED && count !== "ended") this.requests += 1;
      if (content === TAKEN_BACK) addTo(this.reversals, requestId, quota);
      addTo(this.quotaOfUsers, userId, quota);
      if (count !== "answered") continue;
      addTo(this.quotaOfKeys, tokenId, quota);
      addTo(this.quotaOfChannels, channelId, quota);
      if (content !== REFUNDED) addTo(this.requestsOfUsers, userId, 1);
    }
  }
}

export const addTo = <Key>(sums: Map<Key, number>, key: Key, amount: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + amount);
};
