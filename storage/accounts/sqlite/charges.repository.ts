import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { decodeRecord } from "../../journal/journal-record";
import type { JournalTarget } from "../../journal/journal-target";
import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";
import { type Changes, decodeChanges, mergeChanges, spentOf } from "../charges";

/** The group commit of the relay: prepared by hand, because it runs for every request. */
export const chargeWrites = (connection: Connection) => {
  const takeFromUser = connection.prepare(
    "UPDATE users SET quota = quota - ?, used_quota = used_quota + ?, request_count = request_count + ? WHERE id = ?",
  );
  const takeFromToken = connection.prepare(
    `UPDATE tokens SET remain_quota = remain_quota - ?, taken_quota = taken_quota + ?,
       untaken_quota = untaken_quota + ?, used_quota = used_quota + ?, accessed_time = ? WHERE id = ?`,
  );
  // All users together may use up more than a number holds exactly.
  const addToChannel = connection.prepare(
    `UPDATE channels SET used_quota = min(used_quota + ?, ${MAX_QUOTA}), used_requests = used_requests + ?,
       spent = min(spent + ?, ${MAX_QUOTA}) WHERE id = ?`,
  );
  const insertBatch = connection.prepare("INSERT INTO outbox (batch) VALUES (?)");
  const newestOfJournal = connection.prepare("SELECT newest_batch AS id FROM journal_state");
  const readsReserve = connection.prepare("SELECT is_reserved AS isReserved FROM journal_state");
  const noteNewest = connection.prepare("UPDATE journal_state SET newest_batch = ?");

  const write = ({ users, tokens, channels }: Changes, entries: string): void => {
    for (const [id, quota, , count] of users) takeFromUser.run(quota, quota, count, id);
    for (const [id, quota, tokenQuota, , lastAt] of tokens)
      takeFromToken.run(tokenQuota, tokenQuota, quota - tokenQuota, quota, lastAt, id);
    for (const tuple of channels) addToChannel.run(tuple[1], tuple[3], spentOf(tuple), tuple[0]);
    insertBatch.run(entries);
  };

  const newestBatch = (): number => (newestOfJournal.get() as { id: number }).id;

  return {
    /**
     * Stores a batch in one transaction, all or none: the balances, and the log entries in the outbox. Both as
     * encodeCharges returns them.
     */
    commit(changes, entries) {
      inTransaction(connection, () => write(decodeChanges(changes), entries));
    },

    newestBatch,

    hasReservedJournal: () => (readsReserve.get() as { isReserved: number }).isReserved === 1,

    noteReservedJournal() {
      connection.exec("UPDATE journal_state SET is_reserved = 1");
    },

    commitJournal(records) {
      inTransaction(connection, () => {
        const newest = newestBatch();
        const batches = records.filter(({ id }) => id > newest).map(decodeRecord);
        const [first] = batches;
        const last = batches.at(-1);
        if (!first || !last) return;
        if (first.id !== newest + 1)
          throw new Error(`batch ${first.id} of the journal does not follow on ${newest}`);
        const changes = mergeChanges(batches.map((batch) => decodeChanges(batch.changes)));
        write(changes, batches.map(({ entries }) => entries).join(""));
        noteNewest.run(last.id);
      });
    },

    skipTo(batch) {
      noteNewest.run(batch);
    },
  } satisfies JournalTarget & { commit(changes: string, entries: string): void };
};
