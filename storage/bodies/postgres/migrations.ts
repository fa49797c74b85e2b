import { toMigration } from "../../postgres/migrate";
import type { Migrations } from "../../sql/migrations";
import { BODIES_SCHEMA } from "../sql/bodies-schema";

/** Migrations of the stored bodies. */
export const BODIES_MIGRATIONS: Migrations = { "0001-initial": toMigration(BODIES_SCHEMA) };
