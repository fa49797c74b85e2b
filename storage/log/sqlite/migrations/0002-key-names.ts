import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

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
 * Sums by the hour of names that many keys have in common, by the model, by the channel and by both (storage/log/sql/key-names.ts).
 * They are empty at first: what was used before is added to them bucket by bucket, the newest first, beside everything else
 * (server/jobs/close-buckets.ts), and `since` says from which hour on it was. Until then answers come from the payers' sums.
 */
const SCHEMA = [
  `
CREATE TABLE shared_names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  since INTEGER NOT NULL
);
`,
  createSums("name_hours", "name_id", "hour"),
  createSums("name_model_hours", "name_id", "hour", "model_id"),
  createSums("name_channel_hours", "name_id", "hour", "channel_id"),
  createSums("name_detail_hours", "name_id", "hour", "model_id", "channel_id"),
];

export const keyNames: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA.join("\n")),
};
