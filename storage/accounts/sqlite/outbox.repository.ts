import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { Kysely } from "kysely";
import type { OnThread } from "../../consistency";
import { encodePhrases } from "../../outbox/log-content";
import { encodeAccountEntries } from "../../outbox/log-entry";
import type { OutboxReader, OutboxRow, OutboxSource } from "../../outbox/outbox-ends";
import type { Connection } from "../../sqlite/connection";
import type { Tables } from "./tables";

/** Puts log lines into the outbox, within the caller's transaction. */
export const insertAccountLines = async (
  db: Kysely<Tables>,
  lines: readonly AccountLine[],
): Promise<void> => {
  if (lines.length === 0) return;
  const entries = lines.map(({ phrase, ...line }) => ({ ...line, content: encodePhrases([phrase]) }));
  await db
    .insertInto("outbox")
    .values({ batch: encodeAccountEntries(entries) })
    .execute();
};

/** What lies in the main file on its way to the log file. */
export const outboxWrites = (connection: Connection) => {
  const newest = connection.prepare("SELECT max(id) AS id FROM outbox");
  const trim = connection.prepare("DELETE FROM outbox WHERE id <= ?");
  return {
    /** The newest row, undefined when there is none. */
    newest: (): number | undefined => (newest.get() as { id: number | null }).id ?? undefined,

    trim(upTo: number): void {
      trim.run(upTo);
    },

    startAfter(batch: number): void {
      const row = connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").get();
      if (row === undefined) {
        connection.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)").run(batch);
      } else {
        connection.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'outbox'").run(batch);
      }
    },
  } satisfies OnThread<{ outbox: OutboxSource }>["outbox"] & { newest(): number | undefined };
};

/** The outbox of a main file that is only read. */
export const outboxReader = (connection: Connection): OutboxReader => {
  const select = connection.prepare("SELECT id, batch FROM outbox WHERE id > ? ORDER BY id");
  return { after: (id) => select.iterate(id) as IterableIterator<OutboxRow> };
};
