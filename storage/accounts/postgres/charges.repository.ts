import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { decodeRecord } from "../../journal/journal-record";
import type { JournalTarget } from "../../journal/journal-target";
import { repeating } from "../../postgres/repeat-transaction";
import { type Changes, decodeChanges, mergeChanges, spentOf } from "../charges";
import type { Tables } from "../sql/tables";

interface JournalState {
  newest_batch: number;
  is_reserved: number;
}

/** The quota that comes out of leases, by the ids of users and of tokens: balances no longer contain it. */
export interface FromLeases {
  readonly users: ReadonlyMap<number, number>;
  readonly tokens: ReadonlyMap<number, number>;
}

const FROM_BALANCES: FromLeases = { users: new Map(), tokens: new Map() };

/**
 * Returns the changes of all users, tokens and channels of a group, and the log entries, as steps of one statement:
 * each statement is a round trip for all that wait behind it.
 */
export const changeSteps = (
  { users, tokens, channels }: Changes,
  entries: string,
  leased = FROM_BALANCES,
): RawBuilder<unknown> => {
  const column = (values: readonly number[]) => sql`${values}::bigint[]`;
  // Channels are locked in the order of their ids, so that two batches never deadlock. The use of all users together
  // may exceed an exact number, and a mere counter must not fail a charge.
  return sql`of_users AS (
    UPDATE users SET quota = users.quota + taken.leased - taken.quota,
      used_quota = users.used_quota + taken.quota, request_count = users.request_count + taken.count
    FROM unnest(${column(users.map(([id]) => id))}, ${column(users.map(([, quota]) => quota))},
      ${column(users.map(([id]) => leased.users.get(id) ?? 0))}, ${column(users.map(([, , , count]) => count))})
      AS taken (id, quota, leased, count)
    WHERE users.id = taken.id
  ), of_tokens AS (
    UPDATE tokens SET remain_quota = tokens.remain_quota + taken.leased - taken.token_quota,
      taken_quota = tokens.taken_quota + taken.token_quota,
      untaken_quota = tokens.untaken_quota + taken.quota - taken.token_quota,
      used_quota = tokens.used_quota + taken.quota, accessed_time = taken.last_at
    FROM unnest(${column(tokens.map(([id]) => id))}, ${column(tokens.map(([, quota]) => quota))},
      ${column(tokens.map(([, , tokenQuota]) => tokenQuota))}, ${column(tokens.map(([id]) => leased.tokens.get(id) ?? 0))},
      ${column(tokens.map(([, , , , lastAt]) => lastAt))})
      AS taken (id, quota, token_quota, leased, last_at)
    WHERE tokens.id = taken.id
  ), locked AS (
    SELECT id FROM channels WHERE id = ANY(${column(channels.map(([id]) => id))}) ORDER BY id FOR NO KEY UPDATE
  ), of_channels AS (
    UPDATE channels SET used_quota = least(channels.used_quota + taken.quota, ${MAX_QUOTA}::bigint),
      used_requests = channels.used_requests + taken.count,
      spent = least(channels.spent + taken.spent, ${MAX_QUOTA}::bigint)
    FROM locked JOIN unnest(${column(channels.map(([id]) => id))}, ${column(channels.map(([, quota]) => quota))},
      ${column(channels.map(([, , , count]) => count))}, ${column(channels.map(spentOf))})
      AS taken (id, quota, count, spent) ON taken.id = locked.id
    WHERE channels.id = locked.id
  ), of_log AS (INSERT INTO outbox (batch) VALUES (${entries}))`;
};

/** Writes them, within the caller's transaction. */
export const writeChanges = async (db: Kysely<Tables>, changes: Changes, entries: string): Promise<void> => {
  await sql`WITH ${changeSteps(changes, entries)} SELECT 1`.execute(db);
};

/** The state of the journal. @param isLocked keeps others from changing it until the transaction ends. */
const readState = async (db: Kysely<Tables>, isLocked: boolean): Promise<JournalState> => {
  const { rows } = await sql<JournalState>`
    SELECT newest_batch, is_reserved FROM journal_state ${isLocked ? sql`FOR UPDATE` : sql``}`.execute(db);
  const [state] = rows;
  if (!state) throw new Error("journal_state has no row");
  return state;
};

/** Charges, in groups, each all or none: the balances, and the log entries in the outbox. */
export const chargeWrites = (db: Kysely<Tables>) => {
  const charges = {
    /** Stores a batch. Both as encodeCharges gives them. */
    async commit(changes, entries) {
      await db
        .transaction()
        .execute((transaction) => writeChanges(transaction, decodeChanges(changes), entries));
    },

    newestBatch: async () => (await readState(db, false)).newest_batch,

    hasReservedJournal: async () => (await readState(db, false)).is_reserved === 1,

    async noteReservedJournal() {
      await sql`UPDATE journal_state SET is_reserved = 1`.execute(db);
    },

    async commitJournal(records) {
      await db.transaction().execute(async (transaction) => {
        const { newest_batch: newest } = await readState(transaction, true);
        const batches = records.filter(({ id }) => id > newest).map(decodeRecord);
        const [first] = batches;
        const last = batches.at(-1);
        if (!first || !last) return;
        if (first.id !== newest + 1)
          throw new Error(`batch ${first.id} of the journal does not follow on ${newest}`);
        const changes = mergeChanges(batches.map((batch) => decodeChanges(batch.changes)));
        await writeChanges(transaction, changes, batches.map(({ entries }) => entries).join(""));
        await sql`UPDATE journal_state SET newest_batch = ${last.id}`.execute(transaction);
      });
    },

    async skipTo(batch) {
      await sql`UPDATE journal_state SET newest_batch = ${batch}`.execute(db);
    },
  } satisfies JournalTarget & { commit(changes: string, entries: string): Promise<void> };
  return repeating({ charges }).charges;
};
