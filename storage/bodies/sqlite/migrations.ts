import type { Migrations } from "../../sql/migrations";
import { toMigration } from "../../sqlite/migrate";
import { BODIES_SCHEMA } from "../sql/bodies-schema";

/** Migrations of the file of stored bodies. */
export const BODIES_MIGRATIONS: Migrations = { "0001-initial": toMigration(BODIES_SCHEMA) };
