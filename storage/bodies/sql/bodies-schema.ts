import type { RowsOf, SchemaPart } from "../../sql/schema-part";

/** PostgreSQL does not compress `sealed`, which is compressed already and looks random. */
export const BODIES_SCHEMA = {
  tables: {
    /** Stored bodies. Owner and age can be read without the master key, the messages cannot. */
    bodies: {
      columns: {
        id: "ROW_ID",
        request_id: "TEXT NOT NULL CONSTRAINT bodies_request_id_unique UNIQUE",
        user_id: "INTEGER NOT NULL",
        created_at: "INTEGER NOT NULL",
        /** Length of `sealed`. */
        stored_bytes: "INTEGER NOT NULL",
        /** Both messages of one request, as bodies/stored-body.ts writes them. */
        sealed: "BYTES NOT NULL",
      },
      indexes: { bodies_user: "(user_id)" },
    },
  },
  sqlite: "CREATE INDEX bodies_time ON bodies (created_at, stored_bytes);",
  postgres: `
ALTER TABLE bodies ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX bodies_time ON bodies (created_at);
`,
} as const satisfies SchemaPart;

export interface Tables extends RowsOf<typeof BODIES_SCHEMA> {}
