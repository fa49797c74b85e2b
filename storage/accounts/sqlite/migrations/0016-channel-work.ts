import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** What channels are edited, tested and closed by: tags, test models, calendars with their windows, and how much was answered. */
const SCHEMA = `
ALTER TABLE channels ADD COLUMN tag TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN test_model TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN skips_tests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN calendar TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN windows TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN closed_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN used_requests INTEGER NOT NULL DEFAULT 0;
`;

export const channelWork: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
