import { toMigrations } from "../../sqlite/migrate";
import { ACCOUNTS_PARTS } from "../sql/migrations";

export const ACCOUNTS_MIGRATIONS = toMigrations(ACCOUNTS_PARTS);
