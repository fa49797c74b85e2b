import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";
import { takeOverSchema } from "../../../sqlite/take-over-schema";

/** What each table of sums adds up. */
const SUMS = [
  "lines",
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
];

const createSums = (table: string, ...keys: string[]): string => `
CREATE TABLE ${table} (
  ${[...keys, ...SUMS].map((column) => `${column} INTEGER NOT NULL`).join(",\n  ")},
  PRIMARY KEY (${keys.join(", ")})
) WITHOUT ROWID;
`;

/**
 * A line names its payer (a user and a key, with their names at that time), its model and its text by number. Lines are in
 * the order of time: `created_at` first, `id` within a second. Lines about accounts are no requests: their model is 0 and
 * their token −1. `receipts` without a line (`log_id` 0) are of requests that failed.
 */
const LINES = `
CREATE TABLE state (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE payers (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  token_id INTEGER NOT NULL,
  token_name TEXT NOT NULL,
  UNIQUE (user_id, token_id, username, token_name)
);
CREATE INDEX payers_username ON payers (username);
CREATE INDEX payers_token_name ON payers (token_name);

CREATE TABLE models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);

CREATE TABLE logs (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  type INTEGER NOT NULL,
  payer_id INTEGER NOT NULL,
  model_id INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  content_id INTEGER NOT NULL,
  quota INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  is_stream INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  first_byte_ms INTEGER NOT NULL,
  receipt_id INTEGER NOT NULL
);
CREATE INDEX logs_user_time ON logs (user_id, created_at);
CREATE INDEX logs_time ON logs (created_at);
CREATE INDEX logs_account_time ON logs (created_at) WHERE type <> 2;
CREATE INDEX logs_account_user_time ON logs (user_id, created_at) WHERE type <> 2;

CREATE TABLE receipts (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  payer_id INTEGER NOT NULL,
  model_id INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  log_id INTEGER NOT NULL,
  is_error INTEGER NOT NULL,
  detail TEXT
);
CREATE INDEX receipts_request ON receipts (request_id);
CREATE INDEX receipts_unlogged_time ON receipts (created_at) WHERE log_id = 0;
`;

/**
 * The sums are kept in the transaction that writes the lines: `site_hours` for everybody together, `model_hours` and
 * `channel_hours` for what is asked for most, `payer_hours` for each payer, `detail_hours` for each payer, model and
 * channel, `content_hours` for texts that are searched. Days come first, because what is written at the same time should
 * lie together. `lines` counts the log lines, so that the sums also say where lines can be found.
 *
 * The tables of buckets and weeks have the payers' sums of whole eight hours and of seven days (UTC, counted from 1970). A
 * bucket is added to them once, some time after its end (storage/log/sqlite/eight-hour-buckets.ts), because a request should
 * not pay for it: what is not there yet is read from the hours.
 */
const SUM_TABLES = [
  createSums("site_hours", "hour", "model_id", "channel_id"),
  createSums("model_hours", "hour", "model_id"),
  createSums("channel_hours", "hour", "channel_id"),
  createSums("payer_hours", "day", "payer_id", "hour"),
  createSums("detail_hours", "day", "payer_id", "hour", "model_id", "channel_id"),
  createSums("payer_buckets", "bucket", "payer_id"),
  createSums("payer_model_buckets", "bucket", "model_id", "payer_id"),
  createSums("payer_channel_buckets", "bucket", "channel_id", "payer_id"),
  createSums("payer_weeks", "week", "payer_id"),
  createSums("payer_model_weeks", "week", "model_id", "payer_id"),
  createSums("payer_channel_weeks", "week", "channel_id", "payer_id"),
  createSums("detail_weeks", "week", "model_id", "channel_id", "payer_id"),
  `
CREATE TABLE content_hours (
  content_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (content_id, hour)
) WITHOUT ROWID;
`,
];

/** What the last version with a list of its own called otherwise, or needed to move an older log. */
const RENAMED = [
  ...["payer", "payer_model", "payer_channel"].flatMap((keys) => [
    `ALTER TABLE ${keys}_shifts RENAME TO ${keys}_buckets;`,
    `ALTER TABLE ${keys}_buckets RENAME COLUMN shift TO bucket;`,
  ]),
  "UPDATE state SET key = 'buckets-until' WHERE key = 'shifts-until';",
  "DELETE FROM state WHERE key = 'last-moved-id';",
];

/** Names in the list of the last version that kept one, whose log is taken over. */
export const TAKEN_OVER = ["log-file-0001-initial", "log-file-0002-usage-sums"];

export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    const isTakenOver = await takeOverSchema(db, TAKEN_OVER);
    await runStatements(db, (isTakenOver ? RENAMED : [LINES, ...SUM_TABLES]).join("\n"));
  },
};
