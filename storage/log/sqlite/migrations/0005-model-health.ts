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

/** Which errors were the service's own; of those of before nobody knows, and they count as none. */
export const modelHealth: Migration = {
  up: (db: Kysely<unknown>) =>
    runStatements(
      db,
      TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;`).join("\n"),
    ),
};
