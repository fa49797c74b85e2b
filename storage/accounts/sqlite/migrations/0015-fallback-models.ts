import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** Keys in whose requests no other model answers in place of the one that is named. */
const SCHEMA = `
ALTER TABLE tokens ADD COLUMN no_fallbacks INTEGER NOT NULL DEFAULT 0;
`;

export const fallbackModels: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
