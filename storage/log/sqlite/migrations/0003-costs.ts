import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

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

const SUMS = ["costed_requests", "costed_quota", "cost"];

/**
 * What upstreams ask, in thousandths of quota. Of lines of before nobody knows: their cost is null, and the sums, which add up
 * only what is known, begin with nothing.
 */
const SCHEMA = [
  "ALTER TABLE logs ADD COLUMN cost INTEGER;",
  ...TABLES.flatMap((table) =>
    SUMS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0;`),
  ),
];

export const costs: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA.join("\n")),
};
