import type { SchemaPart } from "../../../sql/schema-part";

/** Columns that each table of sums adds up. The last four came later: lines that were older count 0. */
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
] as const;
const LATER_SUMS = ["costed_requests", "costed_quota", "cost", "faults"] as const;

const SUM_COLUMNS = [
  ...SUMS.map((column) => `${column} INTEGER NOT NULL`),
  ...LATER_SUMS.map((column) => `${column} INTEGER NOT NULL DEFAULT 0`),
];
const SUM_NAMES: readonly string[] = [...SUMS, ...LATER_SUMS];

interface SumTable {
  readonly name: string;
  /** Columns of the primary key, in its order. */
  readonly keys: readonly string[];
  /** Whether hours reach the table only once eight-hour buckets are closed. */
  readonly isOfBuckets?: true;
  /** Whether the table sums the keys of a name (`shared_names`) instead of those of a payer. */
  readonly isOfNames?: true;
}

/**
 * Tables of sums, kept in the transaction that writes the lines: the whole site, the most frequent questions, each payer, and
 * each combination. Days come first in a key, because rows that are written at the same time should lie together. `lines` counts
 * log lines, so the sums also tell where lines can be found.
 *
 * Buckets and weeks have the payers' sums of whole eight hours and of seven days (UTC, counted from 1970). A job adds a bucket
 * to them once, some time after its end (storage/log/sqlite/eight-hour-buckets.ts), so that a request does not pay for it; until
 * then the hours have it. The sums by name are filled bucket by bucket in the same way, the newest first
 * (storage/log/sql/key-names.ts), and `since` says from which hour on a name has its sums.
 */
const TABLES: readonly SumTable[] = [
  { name: "site_hours", keys: ["hour", "model_id", "channel_id"] },
  { name: "model_hours", keys: ["hour", "model_id"] },
  { name: "channel_hours", keys: ["hour", "channel_id"] },
  { name: "payer_hours", keys: ["day", "payer_id", "hour"] },
  { name: "detail_hours", keys: ["day", "payer_id", "hour", "model_id", "channel_id"] },
  { name: "payer_buckets", keys: ["bucket", "payer_id"], isOfBuckets: true },
  { name: "payer_model_buckets", keys: ["bucket", "model_id", "payer_id"], isOfBuckets: true },
  { name: "payer_channel_buckets", keys: ["bucket", "channel_id", "payer_id"], isOfBuckets: true },
  { name: "payer_weeks", keys: ["week", "payer_id"], isOfBuckets: true },
  { name: "payer_model_weeks", keys: ["week", "model_id", "payer_id"], isOfBuckets: true },
  { name: "payer_channel_weeks", keys: ["week", "channel_id", "payer_id"], isOfBuckets: true },
  { name: "detail_weeks", keys: ["week", "model_id", "channel_id", "payer_id"], isOfBuckets: true },
  { name: "name_hours", keys: ["name_id", "hour"], isOfNames: true },
  { name: "name_model_hours", keys: ["name_id", "hour", "model_id"], isOfNames: true },
  { name: "name_channel_hours", keys: ["name_id", "hour", "channel_id"], isOfNames: true },
  { name: "name_detail_hours", keys: ["name_id", "hour", "model_id", "channel_id"], isOfNames: true },
];

const createTable = (name: string, keys: readonly string[]): string => `
CREATE TABLE ${name} (
  ${[...keys.map((key) => `${key} INTEGER NOT NULL`), ...SUM_COLUMNS].join(",\n  ")},
  PRIMARY KEY (${keys.join(", ")})
) WITHOUT ROWID;
`;

const BUCKETS_END = "(SELECT value FROM state WHERE key = 'buckets-until')";

/** Keys that an hour of `unsummed` is converted to. */
const CONVERTED: Readonly<Record<string, string>> = {
  day: "hour / 86400 AS day",
  bucket: "hour / 28800 * 28800 AS bucket",
  week: "hour / 604800 * 604800 AS week",
  name_id: "shared_names.id AS name_id",
};

const unsummedOf = ({ isOfBuckets, isOfNames }: SumTable): string => {
  if (isOfNames)
    return `unsummed
    JOIN payers ON payers.id = unsummed.payer_id JOIN shared_names ON shared_names.name = payers.token_name
  WHERE hour < ${BUCKETS_END} AND hour >= shared_names.since`;
  return isOfBuckets ? `unsummed WHERE hour < ${BUCKETS_END}` : "unsummed";
};

/** Selects the rows of a table of sums on PostgreSQL, together with those that are not added up yet. */
const selectSummed = (table: SumTable, sums: readonly string[]): string => {
  const keys = table.keys.map((key) => CONVERTED[key] ?? key);
  return `SELECT ${[...table.keys, ...sums].join(", ")} FROM ${table.name}_summed
  UNION ALL SELECT ${[...keys, ...sums].join(", ")} FROM ${unsummedOf(table)}`;
};

/** A table of sums on PostgreSQL, and under the table's name a view of all rows. */
const createSummed = (table: SumTable): string =>
  `${createTable(`${table.name}_summed`, table.keys).replace(" WITHOUT ROWID", "").replaceAll("INTEGER", "BIGINT")}
CREATE VIEW ${table.name} AS
  ${selectSummed(table, SUM_NAMES)};
`;

/**
 * Adds columns to all tables of sums. Older rows count 0, and so do rows that a node of an older version writes or adds
 * up. So columns that are compared with each other belong in one migration.
 * @param before columns of earlier migrations.
 */
export const addSumColumns = (columns: readonly string[], before: readonly string[] = []): SchemaPart => {
  const added = (table: string, type: string): string =>
    columns
      .map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${type} NOT NULL DEFAULT 0;\n`)
      .join("");
  const sums = [...SUM_NAMES, ...before, ...columns];
  const extended = TABLES.map(
    (table) =>
      `${added(`${table.name}_summed`, "BIGINT")}CREATE OR REPLACE VIEW ${table.name} AS ${selectSummed(table, sums)};\n`,
  );
  return {
    sqlite: TABLES.map(({ name }) => added(name, "INTEGER")).join(""),
    postgres: `${added("unsummed", "BIGINT")}${extended.join("")}`,
  };
};

/**
 * Sums of the log by hour, bucket and week, and of texts that are searched. `unsummed` has, on PostgreSQL, additions to the sums
 * that a job has yet to add up and delete: each transaction only adds rows there, so that nodes do not wait for each other.
 */
export const LOG_SUMS: SchemaPart = {
  common: `
CREATE TABLE shared_names (
  id ROW_ID,
  name TEXT NOT NULL UNIQUE,
  since INTEGER NOT NULL
);
`,
  sqlite: `${TABLES.map(({ name, keys }) => createTable(name, keys)).join("")}
CREATE TABLE content_hours (
  content_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (content_id, hour)
) WITHOUT ROWID;
`,
  postgres: `
CREATE TABLE unsummed (
  hour BIGINT NOT NULL,
  payer_id BIGINT NOT NULL,
  model_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  ${SUM_COLUMNS.join(",\n  ").replaceAll("INTEGER", "BIGINT")}
);
CREATE TABLE unsummed_contents (
  content_id BIGINT NOT NULL,
  hour BIGINT NOT NULL,
  lines BIGINT NOT NULL
);
${TABLES.map(createSummed).join("")}
CREATE TABLE content_hours_summed (
  content_id BIGINT NOT NULL,
  hour BIGINT NOT NULL,
  lines BIGINT NOT NULL,
  PRIMARY KEY (content_id, hour)
);
CREATE VIEW content_hours AS
  SELECT content_id, hour, lines FROM content_hours_summed
  UNION ALL SELECT content_id, hour, lines FROM unsummed_contents;
`,
};
