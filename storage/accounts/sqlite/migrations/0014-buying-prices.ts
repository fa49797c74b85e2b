import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * What channels' upstreams ask; what their balances were read as, and what was paid in there; and what an upstream's bills were
 * compared with. A comparison outlives its channel.
 */
const SCHEMA = `
ALTER TABLE channels ADD COLUMN buying_prices TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN upstream_prices TEXT NOT NULL DEFAULT '';

CREATE TABLE balance_movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  amount REAL NOT NULL,
  note TEXT NOT NULL
);
CREATE INDEX balance_movements_time ON balance_movements (channel_id, at);

CREATE TABLE reconciliations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  content TEXT NOT NULL
);
`;

export const buyingPrices: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
