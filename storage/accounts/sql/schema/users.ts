import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Users, the accounts elsewhere by which they sign in, their sessions, and codes sent to verify an address.
 *
 * Ids are never reused. Balances carry a CHECK, so that storage never holds a negative one. `granted_quota` is all quota ever
 * granted and not taken back: quota = granted_quota − used_quota. It is at most MAX_QUOTA, as is a balance, because numbers
 * beyond it lose units. `unlogged_quota` is the use that no line of the log accounts for. Limits (docs/reference/limits.md)
 * that are NULL limit nothing. `plan_groups` are those of the user's plans, tried before the user's own group.
 *
 * A user has at most one identity per sign-in method, and each identity belongs to one user.
 */
export const USERS: SchemaPart = {
  common: `
CREATE TABLE users (
  id AUTO_ID,
  username SORTED_TEXT NOT NULL CONSTRAINT users_username_unique UNIQUE,
  password_hash TEXT NOT NULL,
  display_name SORTED_TEXT NOT NULL DEFAULT '',
  role INTEGER NOT NULL DEFAULT 1,
  status INTEGER NOT NULL DEFAULT 1,
  email SORTED_TEXT NOT NULL DEFAULT '',
  access_token_hash TEXT CONSTRAINT users_access_token_hash_unique UNIQUE,
  access_token_sealed TEXT,
  quota QUOTA NOT NULL DEFAULT 0 CHECK (quota >= 0),
  used_quota QUOTA NOT NULL DEFAULT 0,
  granted_quota QUOTA NOT NULL DEFAULT 0,
  unlogged_quota QUOTA NOT NULL DEFAULT 0,
  request_count INTEGER NOT NULL DEFAULT 0,
  "group" TEXT NOT NULL DEFAULT 'default',
  aff_code TEXT CONSTRAINT users_aff_code_unique UNIQUE,
  inviter_id INTEGER NOT NULL DEFAULT 0,
  created_time INTEGER NOT NULL,
  rpm INTEGER,
  tpm INTEGER,
  concurrency INTEGER,
  daily_quota QUOTA,
  monthly_quota QUOTA,
  plan_groups TEXT NOT NULL DEFAULT ''
);
CREATE INDEX users_inviter ON users (inviter_id, id) WHERE inviter_id <> 0;

CREATE TABLE identities (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject <> ''),
  PRIMARY KEY (user_id, method),
  CONSTRAINT identities_method_unique UNIQUE (method, subject)
) WITHOUT ROWID;

CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_time INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  user_agent TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE verifications (
  purpose TEXT NOT NULL,
  subject TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  expires_time INTEGER NOT NULL,
  attempts_left INTEGER NOT NULL,
  PRIMARY KEY (purpose, subject)
) WITHOUT ROWID;
`,
  sqlite: "CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> '';",
  postgres: "CREATE UNIQUE INDEX users_email_unique ON users (email) WHERE email <> '';",
};
