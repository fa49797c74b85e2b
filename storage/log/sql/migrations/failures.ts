import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Failed requests: the same failure of a key within a minute is one row with a count. `request_id` is that of the first, which
 * has the receipt; `code` is the refusal's code or how the request ended, `status` the upstream's HTTP status, 0 for none.
 * Earlier failures have only a receipt each.
 */
export const FAILURES: SchemaPart = {
  common: `
CREATE TABLE failures (
  request_id TEXT NOT NULL PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  occurrences INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  payer_id INTEGER NOT NULL,
  model_id INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  status INTEGER NOT NULL,
  code TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX failures_time ON failures (first_at);
CREATE INDEX failures_user_time ON failures (user_id, first_at);
`,
};
