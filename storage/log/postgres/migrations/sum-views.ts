const DAY = "hour / 86400 AS day";
const BUCKET = "hour / 28800 * 28800 AS bucket";
const WEEK = "hour / 604800 * 604800 AS week";

/** Blocks have nothing of hours that were not added up to blocks at all. */
const IN_BLOCKS = "hour < (SELECT value FROM state WHERE key = 'buckets-until')";

/** The tables of sums, with the keys of each; what is behind AS is made of an hour. */
const TABLES: readonly (readonly [name: string, keys: readonly string[], isOfBlocks: boolean])[] = [
  ["site_hours", ["hour", "model_id", "channel_id"], false],
  ["model_hours", ["hour", "model_id"], false],
  ["channel_hours", ["hour", "channel_id"], false],
  ["payer_hours", [DAY, "payer_id", "hour"], false],
  ["detail_hours", [DAY, "payer_id", "hour", "model_id", "channel_id"], false],
  ["payer_buckets", [BUCKET, "payer_id"], true],
  ["payer_model_buckets", [BUCKET, "model_id", "payer_id"], true],
  ["payer_channel_buckets", [BUCKET, "channel_id", "payer_id"], true],
  ["payer_weeks", [WEEK, "payer_id"], true],
  ["payer_model_weeks", [WEEK, "model_id", "payer_id"], true],
  ["payer_channel_weeks", [WEEK, "channel_id", "payer_id"], true],
  ["detail_weeks", [WEEK, "model_id", "channel_id", "payer_id"], true],
];

/** The same of names that many keys have in common. */
const NAME_TABLES: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ["name_hours", []],
  ["name_model_hours", ["model_id"]],
  ["name_channel_hours", ["channel_id"]],
  ["name_detail_hours", ["model_id", "channel_id"]],
];

const nameOf = (key: string): string => key.split(" AS ").at(-1) ?? key;

const sumsView = (name: string, keys: readonly string[], isOfBlocks: boolean, sums: readonly string[]) => `
CREATE OR REPLACE VIEW ${name} AS
  SELECT ${[...keys.map(nameOf), ...sums].join(", ")} FROM ${name}_summed
  UNION ALL SELECT ${[...keys, ...sums].join(", ")} FROM unsummed WHERE ${isOfBlocks ? IN_BLOCKS : "TRUE"};
`;

const nameView = (name: string, keys: readonly string[], sums: readonly string[]) => `
CREATE OR REPLACE VIEW ${name} AS
  SELECT ${["name_id", "hour", ...keys, ...sums].join(", ")} FROM ${name}_summed
  UNION ALL SELECT ${["shared_names.id AS name_id", "hour", ...keys, ...sums].join(", ")} FROM unsummed
    JOIN payers ON payers.id = unsummed.payer_id JOIN shared_names ON shared_names.name = payers.token_name
  WHERE ${IN_BLOCKS} AND hour >= shared_names.since;
`;

/**
 * Statements that give the sums of the log further columns, 0 in what is there: to the tables, to what is not added up yet, and
 * to the views over both.
 * @param known the columns before, in their order. @param added further ones, which come after them.
 */
export const addSumColumns = (known: readonly string[], added: readonly string[]): string => {
  const tables = [...TABLES, ...NAME_TABLES].map(([name]) => `${name}_summed`);
  const columns = added.map((column) => `ADD COLUMN ${column} BIGINT NOT NULL DEFAULT 0`).join(", ");
  const sums = [...known, ...added];
  return [
    ...["unsummed", ...tables].map((table) => `ALTER TABLE ${table} ${columns};`),
    ...TABLES.map(([name, keys, isOfBlocks]) => sumsView(name, keys, isOfBlocks, sums)),
    ...NAME_TABLES.map(([name, keys]) => nameView(name, keys, sums)),
  ].join("\n");
};
