import type { Migrations } from "../../sql/migrations";
import { toMigration } from "../../sqlite/migrate";
import { ACTORS } from "../sql/migrations/0020-actors";
import { UNSUPPORTED_FIELDS } from "../sql/migrations/0021-unsupported-fields";
import { ACCOUNTS_SCHEMA } from "../sql/schema/accounts-schema";

/** Migrations of the main file. The first one is named after the last of those it replaced. */
export const ACCOUNTS_MIGRATIONS: Migrations = {
  "0019-settled-refunds": toMigration(...ACCOUNTS_SCHEMA),
  "0020-actors": toMigration(ACTORS),
  "0021-unsupported-fields": toMigration(UNSUPPORTED_FIELDS),
};
