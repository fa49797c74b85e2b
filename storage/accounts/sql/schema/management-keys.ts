import type { SchemaPart } from "../../../sql/schema-part";

export const MANAGEMENT_KEYS = {
  tables: {
    /** Keys for scripts that call /api (contract/records/management-key-record.ts). */
    management_keys: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        name: "TEXT NOT NULL",
        key_hash: "TEXT NOT NULL CONSTRAINT management_keys_key_hash_unique UNIQUE",
        start: "TEXT NOT NULL",
        permissions: "TEXT NOT NULL",
        networks: "TEXT NOT NULL",
        created_time: "INTEGER NOT NULL",
        /** 0 for never. */
        expires_time: "INTEGER NOT NULL",
        last_used_time: "INTEGER NOT NULL DEFAULT 0",
        last_address: "TEXT NOT NULL DEFAULT ''",
      },
      indexes: { management_keys_user: "(user_id)" },
    },
  },
} as const satisfies SchemaPart;
