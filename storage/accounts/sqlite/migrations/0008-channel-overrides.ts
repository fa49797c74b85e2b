import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** What of a channel's requests is changed: sealed, because headers hold secrets. */
const SCHEMA = `
ALTER TABLE channels ADD COLUMN overrides_sealed TEXT NOT NULL DEFAULT '';
`;

export const channelOverrides: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
