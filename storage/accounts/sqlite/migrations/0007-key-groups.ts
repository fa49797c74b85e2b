import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** By which groups a key's requests go; keys from before go by their user's. */
const SCHEMA = `
ALTER TABLE tokens ADD COLUMN "group" TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN auto_groups TEXT NOT NULL DEFAULT '';
`;

export const keyGroups: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
