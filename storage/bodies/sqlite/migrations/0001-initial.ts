import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";
import { takeOverSchema } from "../../../sqlite/take-over-schema";

/**
 * `sealed` holds both messages of one request, as bodies/stored-body.ts writes them; `stored_bytes` is its length. Whose
 * and how old they are can be read without the master key, what was said cannot.
 */
const SCHEMA = `
CREATE TABLE bodies (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  sealed BLOB NOT NULL
);
CREATE INDEX bodies_time ON bodies (created_at, stored_bytes);
CREATE INDEX bodies_user ON bodies (user_id);
`;

export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    if (!(await takeOverSchema(db, ["body-file-0001-initial"]))) await runStatements(db, SCHEMA);
  },
};
