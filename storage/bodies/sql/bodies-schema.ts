import type { SchemaPart } from "../../sql/schema-part";

/**
 * Stored bodies. `sealed` holds both messages of one request, as bodies/stored-body.ts writes them; `stored_bytes` is its length.
 * Owner and age can be read without the master key, the messages cannot. PostgreSQL does not compress `sealed`, which is
 * compressed already and looks random.
 */
export const BODIES_SCHEMA: SchemaPart = {
  common: `
CREATE TABLE bodies (
  id ROW_ID,
  request_id TEXT NOT NULL CONSTRAINT bodies_request_id_unique UNIQUE,
  user_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  sealed BYTES NOT NULL
);
CREATE INDEX bodies_user ON bodies (user_id);
`,
  sqlite: "CREATE INDEX bodies_time ON bodies (created_at, stored_bytes);",
  postgres: `
ALTER TABLE bodies ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX bodies_time ON bodies (created_at);
`,
};
