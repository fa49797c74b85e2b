import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Kysely } from "kysely";
import { encodePhrases } from "../../outbox/log-content";
import { type AccountEntry, encodeAccountEntries } from "../../outbox/log-entry";
import type { Connection } from "../../sqlite/connection";
import type { Tables } from "./tables";

/** A log line about an account rather than a request. */
export const accountLog = (
  type: number,
  userId: number,
  username: string,
  phrase: LogPhrase,
  createdAt: number,
): AccountEntry => ({ createdAt, userId, username, type, content: encodePhrases([phrase]) });

/** Puts log lines into the outbox, within the caller's transaction. */
export const insertAccountLogs = async (db: Kysely<Tables>, logs: AccountEntry[]): Promise<void> => {
  if (logs.length === 0) return;
  await db
    .insertInto("outbox")
    .values({ batch: encodeAccountEntries(logs) })
    .execute();
};

/** What lies in the main file on its way to the log file. */
export const outboxWrites = (connection: Connection) => {
  const newest = connection.prepare("SELECT max(id) AS id FROM outbox");
  const trim = connection.prepare("DELETE FROM outbox WHERE id <= ?");
  return {
    /** The newest row, undefined when there is none. */
    newest: (): number | undefined => (newest.get() as { id: number | null }).id ?? undefined,

    /** Deletes rows whose lines are in the log file. */
    trim(upTo: number): void {
      trim.run(upTo);
    },

    /**
     * Numbers no new row like one that the log file knows already: after the main file was replaced by an older copy,
     * rows with such numbers would be taken for old ones.
     */
    startAfter(batch: number): void {
      const row = connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").get();
      if (row === undefined) {
        connection.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)").run(batch);
      } else {
        connection.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'outbox'").run(batch);
      }
    },
  };
};
