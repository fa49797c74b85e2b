/** The tables of sums since the second migration. */
const TABLES = [
  "site_hours",
  "model_hours",
  "channel_hours",
  "payer_hours",
  "detail_hours",
  "payer_buckets",
  "payer_model_buckets",
  "payer_channel_buckets",
  "payer_weeks",
  "payer_model_weeks",
  "payer_channel_weeks",
  "detail_weeks",
  "name_hours",
  "name_model_hours",
  "name_channel_hours",
  "name_detail_hours",
];

/** Statements that give the sums of the log further columns, 0 in what is there. */
export const addSumColumns = (added: readonly string[]): string =>
  TABLES.flatMap((table) =>
    added.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0;`),
  ).join("\n");
