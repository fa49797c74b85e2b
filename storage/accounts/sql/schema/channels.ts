import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Channels, with their limits (docs/reference/limits.md; NULL limits nothing), their calendars, and the amount each has spent in
 * thousandths of quota; the balances read from upstreams and the top-ups there; and comparisons with upstreams' bills, which
 * outlive their channel. Overrides are sealed, because headers hold secrets.
 */
export const CHANNELS: SchemaPart = {
  common: `
CREATE TABLE channels (
  id AUTO_ID,
  type INTEGER NOT NULL,
  key_sealed TEXT NOT NULL,
  key_hashes TEXT NOT NULL DEFAULT '',
  key_count INTEGER NOT NULL DEFAULT 1,
  dead_keys TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 1,
  name SORTED_TEXT NOT NULL DEFAULT '',
  weight INTEGER NOT NULL DEFAULT 0,
  priority INTEGER NOT NULL DEFAULT 0,
  created_time INTEGER NOT NULL,
  test_time INTEGER NOT NULL DEFAULT 0,
  response_time INTEGER NOT NULL DEFAULT 0,
  base_url TEXT NOT NULL DEFAULT '',
  proxy_sealed TEXT NOT NULL DEFAULT '',
  proxy TEXT NOT NULL DEFAULT '',
  other TEXT NOT NULL DEFAULT '',
  balance REAL NOT NULL DEFAULT 0,
  balance_updated_time INTEGER NOT NULL DEFAULT 0,
  models TEXT NOT NULL DEFAULT '',
  model_mapping TEXT NOT NULL DEFAULT '',
  "group" TEXT NOT NULL DEFAULT 'default',
  used_quota QUOTA NOT NULL DEFAULT 0,
  overrides_sealed TEXT NOT NULL DEFAULT '',
  rpm INTEGER,
  tpm INTEGER,
  concurrency INTEGER,
  key_rpm INTEGER,
  key_tpm INTEGER,
  key_concurrency INTEGER,
  buying_prices TEXT NOT NULL DEFAULT '',
  upstream_prices TEXT NOT NULL DEFAULT '',
  tag TEXT NOT NULL DEFAULT '',
  test_model TEXT NOT NULL DEFAULT '',
  skips_tests INTEGER NOT NULL DEFAULT 0,
  calendar TEXT NOT NULL DEFAULT '',
  windows TEXT NOT NULL DEFAULT '',
  closed_until INTEGER NOT NULL DEFAULT 0,
  used_requests INTEGER NOT NULL DEFAULT 0,
  spent INTEGER NOT NULL DEFAULT 0,
  typed_balance REAL,
  typed_spent INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE balance_movements (
  id AUTO_ID,
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  amount REAL NOT NULL,
  note TEXT NOT NULL
);
CREATE INDEX balance_movements_time ON balance_movements (channel_id, at);

CREATE TABLE reconciliations (
  id AUTO_ID,
  channel_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  content TEXT NOT NULL
);
`,
};
