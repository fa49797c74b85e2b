import { toMigration } from "../../postgres/migrate";
import type { Migrations } from "../../sql/migrations";
import { FAILURES } from "../sql/migrations/failures";
import { LOG_SCHEMA } from "../sql/schema/log-schema";

/** Migrations of the log. The first one is named after the last of those it replaced. */
export const LOG_MIGRATIONS: Migrations = {
  "0004-model-health": toMigration(...LOG_SCHEMA),
  "0005-failures": toMigration(FAILURES),
};
