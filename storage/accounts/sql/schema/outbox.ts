import type { SchemaPart } from "../../../sql/schema-part";

export const OUTBOX = {
  tables: {
    /** Lines for the log, from the transaction that charges until the log has stored them. */
    outbox: {
      columns: {
        id: "AUTO_ID",
        /** Log entries, as log/log-line.ts writes them. */
        batch: "TEXT NOT NULL",
      },
    },
    /** How far the journal of charges has been taken over. */
    journal_state: {
      columns: {
        id: "INTEGER PRIMARY KEY CHECK (id = 1)",
        newest_batch: "INTEGER NOT NULL",
        /** Whether the journal's files have free space reserved behind their records (storage/journal/free-space.ts). */
        is_reserved: "INTEGER NOT NULL DEFAULT 0",
      },
    },
  },
  common: "INSERT INTO journal_state (id, newest_batch) VALUES (1, 0);",
} as const satisfies SchemaPart;
