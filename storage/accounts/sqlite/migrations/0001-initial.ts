import { type Kysely, type Migration, sql } from "kysely";
import { DataRefused } from "../../../errors";
import { runStatements } from "../../../sqlite/migrate";
import { takeOverSchema } from "../../../sqlite/take-over-schema";

/**
 * Ids are AUTOINCREMENT so that a deleted user's or channel's id is never given to another one. Balances carry a CHECK:
 * whatever happens above, storage never holds a negative one. Limits (docs/reference/limits.md) that are NULL or "" limit
 * nothing.
 *
 * `granted_quota` is all that was ever given and not taken back: quota = granted_quota − used_quota of a user,
 * remain_quota = granted_quota − taken_quota of a key. It is at most MAX_QUOTA, and so is a balance: beyond it numbers lose units. What a key used that was not taken from its own balance, because it
 * had no limit or had no more, is untaken_quota: used_quota = taken_quota + untaken_quota. `unlogged_quota` is what a user
 * used that the log does not know of.
 *
 * `outbox` holds what the log will say, from the transaction that charges until the log has it. `journal_state` says how
 * far the journal of charges is taken over, and whether its files were made with free space behind their records
 * (storage/journal/free-space.ts).
 */
const SCHEMA = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  display_name TEXT NOT NULL DEFAULT '',
  role INTEGER NOT NULL DEFAULT 1,
  status INTEGER NOT NULL DEFAULT 1,
  email TEXT NOT NULL DEFAULT '',
  github_id TEXT NOT NULL DEFAULT '',
  wechat_id TEXT NOT NULL DEFAULT '',
  access_token_hash TEXT UNIQUE,
  access_token_sealed TEXT,
  quota INTEGER NOT NULL DEFAULT 0 CHECK (quota >= 0),
  used_quota INTEGER NOT NULL DEFAULT 0,
  granted_quota INTEGER NOT NULL DEFAULT 0,
  unlogged_quota INTEGER NOT NULL DEFAULT 0,
  request_count INTEGER NOT NULL DEFAULT 0,
  "group" TEXT NOT NULL DEFAULT 'default',
  aff_code TEXT UNIQUE,
  inviter_id INTEGER NOT NULL DEFAULT 0,
  created_time INTEGER NOT NULL,
  rpm INTEGER,
  tpm INTEGER,
  concurrency INTEGER,
  daily_quota INTEGER,
  monthly_quota INTEGER
);
CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> '';
CREATE UNIQUE INDEX users_github ON users (github_id) WHERE github_id <> '';
CREATE UNIQUE INDEX users_wechat ON users (wechat_id) WHERE wechat_id <> '';

CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_time INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  user_agent TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key_hash TEXT NOT NULL UNIQUE,
  key_sealed TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL DEFAULT '',
  created_time INTEGER NOT NULL,
  accessed_time INTEGER NOT NULL DEFAULT 0,
  expired_time INTEGER NOT NULL DEFAULT -1,
  remain_quota INTEGER NOT NULL DEFAULT 0 CHECK (remain_quota >= 0),
  unlimited_quota INTEGER NOT NULL DEFAULT 0,
  used_quota INTEGER NOT NULL DEFAULT 0,
  granted_quota INTEGER NOT NULL DEFAULT 0,
  taken_quota INTEGER NOT NULL DEFAULT 0,
  untaken_quota INTEGER NOT NULL DEFAULT 0,
  models TEXT NOT NULL DEFAULT '',
  subnet TEXT NOT NULL DEFAULT '',
  rpm INTEGER,
  tpm INTEGER,
  concurrency INTEGER,
  daily_quota INTEGER,
  monthly_quota INTEGER
);
CREATE INDEX tokens_user ON tokens (user_id);

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type INTEGER NOT NULL,
  key_sealed TEXT NOT NULL,
  key_hashes TEXT NOT NULL DEFAULT '',
  key_count INTEGER NOT NULL DEFAULT 1,
  dead_keys TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL DEFAULT '',
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
  used_quota INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE options (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  is_sealed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE redemptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  key_sealed TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL DEFAULT '',
  quota INTEGER NOT NULL CHECK (quota > 0),
  created_time INTEGER NOT NULL,
  redeemed_time INTEGER NOT NULL DEFAULT 0,
  redeemed_by INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE verifications (
  purpose TEXT NOT NULL,
  subject TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  expires_time INTEGER NOT NULL,
  attempts_left INTEGER NOT NULL,
  PRIMARY KEY (purpose, subject)
) WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  action TEXT NOT NULL,
  target TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_time ON audit (created_at);

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  batch TEXT NOT NULL
);

CREATE TABLE journal_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  newest_batch INTEGER NOT NULL,
  is_reserved INTEGER NOT NULL DEFAULT 0
);
INSERT INTO journal_state (id, newest_batch) VALUES (1, 0);
`;

/** What the last version with a list of its own had in it. */
export const TAKEN_OVER = [
  "0001-initial",
  "0002-accounts",
  "0003-outbox",
  "0004-channel-keys",
  "0010-limits",
  "0011-journal",
  "0012-untaken-quota",
  "0013-channel-key-hashes",
  "0014-reserved-journal",
];

/** Migrations of one start are this close together, in seconds. */
const ONE_START = 60;

/**
 * Where accounts are older than the log's own file, the log lacks some of what they used. The table `accounts_before_log`
 * says so to the doctor: anywhere else it takes what the log lacks for a fault.
 */
const noteAccountsBeforeLog = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<{ seconds: number }>`
    SELECT max(applied_time) - min(applied_time) AS seconds FROM migrations
    WHERE name IN ('0001-initial', '0003-outbox')`.execute(db);
  const [row] = rows;
  if (row && row.seconds > ONE_START)
    await sql`CREATE TABLE accounts_before_log (id INTEGER PRIMARY KEY)`.execute(db);
};

/** Where that version kept a log that it had not moved to its own file yet. @throws DataRefused where lines are left. */
const dropOldLog = async (db: Kysely<unknown>): Promise<void> => {
  const table = await sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'old_logs'`.execute(db);
  if (table.rows.length === 0) return;
  const lines = await sql`SELECT 1 FROM old_logs LIMIT 1`.execute(db);
  if (lines.rows.length > 0) throw new DataRefused({ code: "schema-too-old" });
  await sql`DROP TABLE old_logs`.execute(db);
};

export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    const isTakenOver = await takeOverSchema(db, TAKEN_OVER, async () => {
      await dropOldLog(db);
      await noteAccountsBeforeLog(db);
    });
    if (!isTakenOver) await runStatements(db, SCHEMA);
  },
};
