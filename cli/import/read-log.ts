import type {
  ImportedApiKey,
  ImportedChannel,
  ImportedLine,
  ImportedUser,
} from "@tollgate/contract/records/imported-records";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Load } from "@tollgate/storage/load/open-load";
import type { ImportWish } from "./import-wish";
import { createLineMapper, type LineSums } from "./map-lines";
import { mapTopUps } from "./map-orders";
import { mapRedemptions } from "./map-redemptions";
import type { Mapped } from "./map-rows";
import { PROVED_LINES } from "./mapped";
import type { Rows } from "./read-rows";
import type { OpenTables } from "./read-source";
import type { LogRow } from "./source-rows";

/** How often reading the log says how far it is. */
const LINES_A_STEP = 100_000;

/**
 * Raises the counted use of users, keys and channels to the log's, where that is more: the doctor relies on the log.
 */
const settleUse = (
  users: readonly ImportedUser[],
  tokens: readonly ImportedApiKey[],
  channels: readonly ImportedChannel[],
  sums: LineSums,
  remarks: OpenTables["remarks"],
): void => {
  for (const user of users) {
    const logged = sums.quotaOfUsers.get(user.id) ?? 0;
    if (logged > user.usedQuota) {
      remarks.users.add("changed", "use-below-log", user.id, { before: user.usedQuota, after: logged });
      user.usedQuota = logged;
      // Both together are to be counted exactly.
      user.quota = Math.min(user.quota, MAX_QUOTA - logged);
    }
    user.unloggedQuota = user.usedQuota - logged;
    user.requestCount = Math.max(user.requestCount, sums.requestsOfUsers.get(user.id) ?? 0);
  }
  for (const token of tokens) {
    const logged = sums.quotaOfTokens.get(token.id) ?? 0;
    if (logged <= token.usedQuota) continue;
    remarks.tokens.add("changed", "use-below-log", token.id, { before: token.usedQuota, after: logged });
    token.usedQuota = logged;
  }
  for (const channel of channels) {
    const logged = sums.quotaOfChannels.get(channel.id) ?? 0;
    if (logged <= channel.usedQuota) continue;
    remarks.channels.add("changed", "use-below-log", channel.id, {
      before: channel.usedQuota,
      after: logged,
    });
    channel.usedQuota = logged;
  }
};

/** The newest rows of requests, as many as are priced again. */
const createNewest = () => {
  const rows: LogRow[] = [];
  let next = 0;
  return {
    add(row: LogRow): void {
      rows[next] = row;
      next = (next + 1) % PROVED_LINES;
    },
    all: (): LogRow[] => [...rows.slice(next), ...rows.slice(0, next)],
  };
};

/** Reads the log into the target, if any, and settles the use of users, keys and channels with it. */
export const readLog = async (
  rows: Rows,
  { records, usersById }: Mapped,
  { origin, remarks, read, blocks }: OpenTables,
  { now, onRead }: ImportWish,
  load: Load | undefined,
) => {
  const { users, tokens, channels } = records;
  const lines = createLineMapper(origin, usersById, tokens, now, remarks.logs);
  const newest = createNewest();
  const topUpLines = mapTopUps(rows.topUps, (id) => usersById.get(id)?.username, now, remarks.top_ups);
  let said = 0;
  for await (const block of blocks("logs")) {
    const found: ImportedLine[] = [];
    for (const row of block) {
      const line = lines.map(row);
      if (line) found.push(line);
      if (line?.type === LOG_CONSUME) newest.add(row);
    }
    load?.lines(found);
    if (read.logs - said >= LINES_A_STEP) {
      said = read.logs;
      onRead("logs", said);
    }
  }
  onRead("logs", read.logs);
  load?.lines(topUpLines);
  settleUse(users, tokens, channels, lines.sums, remarks);
  const redemptions = mapRedemptions(rows.redemptions, lines.redeemerOf, now, remarks.redemptions);
  return {
    newest: newest.all(),
    redemptions,
    sums: lines.sums,
    taken: lines.taken,
    topUps: topUpLines.length,
  };
};

export type ReadLog = Awaited<ReturnType<typeof readLog>>;
