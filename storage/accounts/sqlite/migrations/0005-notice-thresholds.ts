import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** Below which balance users want to be told, of those who said so. */
const SCHEMA = `
CREATE TABLE notice_thresholds (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  quota INTEGER NOT NULL CHECK (quota >= 0)
);
`;

export const noticeThresholds: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
