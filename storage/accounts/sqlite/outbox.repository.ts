import type { OnThread } from "../../consistency";
import type { OutboxReader, OutboxRow, OutboxSource } from "../../outbox/outbox-ends";
import type { Connection } from "../../sqlite/connection";

/** Entries in the main file on their way to the log file. */
export const outboxWrites = (connection: Connection) => {
  const newest = connection.prepare("SELECT max(id) AS id FROM outbox");
  const trim = connection.prepare("DELETE FROM outbox WHERE id <= ?");
  return {
    /** Returns the newest row, or undefined. */
    newest: () => (newest.get() as { id: number | null }).id ?? undefined,

    trim(upTo) {
      trim.run(upTo);
    },

    startAfter(batch) {
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
