import type { SchemaPart } from "../../../sql/schema-part";

/**
 * `outbox` holds lines for the log, from the transaction that charges until the log has stored them. `journal_state` records
 * how far the journal of charges has been taken over, and whether its files have free space reserved behind their records
 * (storage/journal/free-space.ts).
 */
export const OUTBOX: SchemaPart = {
  common: `
CREATE TABLE outbox (
  id AUTO_ID,
  batch TEXT NOT NULL
);

CREATE TABLE journal_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  newest_batch INTEGER NOT NULL,
  is_reserved INTEGER NOT NULL DEFAULT 0
);
INSERT INTO journal_state (id, newest_batch) VALUES (1, 0);
`,
};
