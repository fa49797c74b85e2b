import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * Drafts of prices (contract/management/price-draft.ts). `changes` and `base` are JSON of what a draft changes and of what that was when it
 * was made; `rehearsal` is JSON of its last rehearsal, whose state and last sign of life are columns of their own. `holds_from` is 0 for
 * none.
 */
const SCHEMA = `
CREATE TABLE price_drafts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  author_id INTEGER NOT NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL,
  holds_from INTEGER NOT NULL,
  fault TEXT NOT NULL,
  changes TEXT NOT NULL,
  base TEXT NOT NULL,
  rehearsal_state TEXT NOT NULL,
  rehearsal_seen INTEGER NOT NULL,
  rehearsal TEXT NOT NULL
);
`;

export const priceDrafts: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
