import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Options, the audit, drafts of prices, and the mark of a change of the master key. `sealed` of `key_rotation` is a text sealed
 * under the new key while secrets are sealed again (storage/rotate/).
 *
 * A price draft (contract/management/price-draft.ts) has in `changes` and `base` JSON of its changes and of the state they were
 * made against; `rehearsal` is JSON of its last rehearsal, whose state and last heartbeat are columns. `holds_from` is 0 without
 * a start time.
 */
export const SITE: SchemaPart = {
  common: `
CREATE TABLE options (
  key SORTED_TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  is_sealed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE audit (
  id AUTO_ID,
  created_at INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  action TEXT NOT NULL,
  target TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_time ON audit (created_at);

CREATE TABLE price_drafts (
  id AUTO_ID,
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

CREATE TABLE key_rotation (id INTEGER PRIMARY KEY CHECK (id = 1), sealed TEXT NOT NULL);
`,
};
