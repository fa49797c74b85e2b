import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";
import { watchMoreColumns } from "./change-triggers";

/** What channels are edited, tested and closed by: tags, test models, calendars with their windows, and how much was answered. */
const SCHEMA = `
ALTER TABLE channels
  ADD COLUMN tag TEXT NOT NULL DEFAULT '',
  ADD COLUMN test_model TEXT NOT NULL DEFAULT '',
  ADD COLUMN skips_tests BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN calendar TEXT NOT NULL DEFAULT '',
  ADD COLUMN windows TEXT NOT NULL DEFAULT '',
  ADD COLUMN closed_until BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN used_requests BIGINT NOT NULL DEFAULT 0;
${watchMoreColumns("channels", "0016", ["tag", "test_model", "skips_tests", "calendar", "closed_until"])}
`;

export const channelWork: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
