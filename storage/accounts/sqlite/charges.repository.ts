import { decodeRecord, type JournalRecord } from "../../journal/journal-record";
import { encodeRequests, type RequestEntry } from "../../outbox/log-entry";
import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";

/** One request that ended: what is taken from whom, and what the log says of it. */
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

/** What a batch changes: each user, token and channel once, however many charges there are. */
interface Changes {
  users: SumTuple[];
  tokens: SumTuple[];
  channels: SumTuple[];
}

const tuplesOf = (sums: Map<number, Sum>): SumTuple[] => {
  const tuples: SumTuple[] = [];
  sums.forEach((sum, id) => {
    tuples.push([id, sum.quota, sum.tokenQuota, sum.count, sum.lastAt]);
  });
  return tuples;
};

/**
 * Sums up and encodes a batch for its way to the storage thread: messages are copied, and texts are copied fastest.
 * Requests that failed change nothing but the log.
 * @returns JSON of what is changed, and what the log will say, as the outbox keeps it.
 */
export const encodeCharges = (charges: readonly Charge[]): [changes: string, entries: string] => {
  const users = new Map<number, Sum>();
  const tokens = new Map<number, Sum>();
  const channels = new Map<number, Sum>();
  for (const charge of charges) {
    if (charge.count !== "answered") continue;
    addTo(users, charge.userId, charge);
    addTo(tokens, charge.tokenId, charge);
    addTo(channels, charge.channelId, charge);
  }
  const changes: Changes = {
    users: tuplesOf(users),
    tokens: tuplesOf(tokens),
    channels: tuplesOf(channels),
  };
  return [JSON.stringify(changes), encodeRequests(charges)];
};

/** Adds up what several batches change, so that each row is written once. */
const merge = (batches: readonly Changes[]): Changes => {
  const [only] = batches;
  if (only && batches.length === 1) return only;
  const mergeKind = (kind: keyof Changes): SumTuple[] => {
    const merged = new Map<number, SumTuple>();
    for (const changes of batches) {
      for (const tuple of changes[kind]) {
        const sum = merged.get(tuple[0]);
        if (!sum) {
          merged.set(tuple[0], tuple);
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
  return { users: mergeKind("users"), tokens: mergeKind("tokens"), channels: mergeKind("channels") };
};

/** The group commit of the relay: prepared by hand, because it runs for every request. */
export const chargeWrites = (connection: Connection) => {
  const takeFromUser = connection.prepare(
    "UPDATE users SET quota = quota - ?, used_quota = used_quota + ?, request_count = request_count + ? WHERE id = ?",
  );
  const takeFromToken = connection.prepare(
    `UPDATE tokens SET remain_quota = remain_quota - ?, taken_quota = taken_quota + ?,
       untaken_quota = untaken_quota + ?, used_quota = used_quota + ?, accessed_time = ? WHERE id = ?`,
  );
  const addToChannel = connection.prepare("UPDATE channels SET used_quota = used_quota + ? WHERE id = ?");
  const insertBatch = connection.prepare("INSERT INTO outbox (batch) VALUES (?)");
  const newestOfJournal = connection.prepare("SELECT newest_batch AS id FROM journal_state");
  const readsReserve = connection.prepare("SELECT is_reserved AS isReserved FROM journal_state");
  const noteNewest = connection.prepare("UPDATE journal_state SET newest_batch = ?");

  const write = ({ users, tokens, channels }: Changes, entries: string): void => {
    for (const [id, quota, , count] of users) takeFromUser.run(quota, quota, count, id);
    for (const [id, quota, tokenQuota, , lastAt] of tokens)
      takeFromToken.run(tokenQuota, tokenQuota, quota - tokenQuota, quota, lastAt, id);
    for (const [id, quota] of channels) addToChannel.run(quota, id);
    insertBatch.run(entries);
  };

  const newestBatch = (): number => (newestOfJournal.get() as { id: number }).id;

  return {
    /**
     * Stores a batch in one transaction, all or none: the balances, and in the outbox what the log will say.
     * Both as encodeCharges gives them.
     */
    commit(changes: string, entries: string): void {
      inTransaction(connection, () => write(JSON.parse(changes) as Changes, entries));
    },

    /** The newest batch of the journal that is stored here. */
    newestBatch,

    /** Whether both files of the journal were made with free space behind their records. */
    hasReservedJournal: (): boolean => (readsReserve.get() as { isReserved: number }).isReserved === 1,

    /** Notes that they were: from now on a file without free space is known to lack something. */
    noteReservedJournal(): void {
      connection.exec("UPDATE journal_state SET is_reserved = 1");
    },

    /**
     * Stores batches of the journal in one transaction, and that they are stored. What is stored already is left out: a
     * commit may have gone well although its caller was told otherwise.
     * @throws Error when they do not follow on what is stored: none may be missing in between.
     */
    commitJournal(records: readonly JournalRecord[]): void {
      inTransaction(connection, () => {
        const newest = newestBatch();
        const batches = records.filter(({ id }) => id > newest).map(decodeRecord);
        const [first] = batches;
        const last = batches.at(-1);
        if (!first || !last) return;
        if (first.id !== newest + 1)
          throw new Error(`batch ${first.id} of the journal does not follow on ${newest}`);
        const changes = merge(batches.map((batch) => JSON.parse(batch.changes) as Changes));
        write(changes, batches.map(({ entries }) => entries).join(""));
        noteNewest.run(last.id);
      });
    },

    /** Lets the journal go on behind this batch: those before it are lost, or the main file is an older copy. */
    skipTo(batch: number): void {
      noteNewest.run(batch);
    },
  };
};

export type ChargeWrites = ReturnType<typeof chargeWrites>;
