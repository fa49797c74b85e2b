import type { SchemaPart } from "../../../sql/schema-part";

/**
 * API keys. remain_quota = granted_quota − taken_quota. `untaken_quota` is the use that the key's own balance did not pay for,
 * because it had no limit or was empty: used_quota = taken_quota + untaken_quota. Limits (docs/reference/limits.md) that are
 * NULL or '' limit nothing. A key without a group of its own uses its user's. With `no_fallbacks` no other model answers in
 * place of the requested one.
 */
export const API_KEYS: SchemaPart = {
  common: `
CREATE TABLE tokens (
  id AUTO_ID,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key_hash TEXT NOT NULL CONSTRAINT tokens_key_hash_unique UNIQUE,
  key_sealed TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 1,
  name SORTED_TEXT NOT NULL DEFAULT '',
  created_time INTEGER NOT NULL,
  accessed_time INTEGER NOT NULL DEFAULT 0,
  expired_time INTEGER NOT NULL DEFAULT -1,
  remain_quota QUOTA NOT NULL DEFAULT 0 CHECK (remain_quota >= 0),
  unlimited_quota INTEGER NOT NULL DEFAULT 0,
  used_quota QUOTA NOT NULL DEFAULT 0,
  granted_quota QUOTA NOT NULL DEFAULT 0,
  taken_quota QUOTA NOT NULL DEFAULT 0,
  untaken_quota QUOTA NOT NULL DEFAULT 0,
  models TEXT NOT NULL DEFAULT '',
  subnet TEXT NOT NULL DEFAULT '',
  rpm INTEGER,
  tpm INTEGER,
  concurrency INTEGER,
  daily_quota QUOTA,
  monthly_quota QUOTA,
  "group" TEXT NOT NULL DEFAULT '',
  auto_groups TEXT NOT NULL DEFAULT '',
  no_fallbacks SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX tokens_user ON tokens (user_id);
`,
};
