import type { SchemaPart } from "../../../sql/schema-part";

export const PASSKEYS = {
  tables: {
    /** Credentials of WebAuthn (contract/records/passkey-record.ts). */
    passkeys: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        credential_id: "TEXT NOT NULL CONSTRAINT passkeys_credential_unique UNIQUE",
        public_key: "TEXT NOT NULL",
        counter: "INTEGER NOT NULL",
        /** Separated by commas. */
        transports: "TEXT NOT NULL",
        name: "TEXT NOT NULL",
        created_time: "INTEGER NOT NULL",
        last_used_time: "INTEGER NOT NULL",
        /** Unix milliseconds. */
        last_challenge: "INTEGER NOT NULL",
      },
      indexes: { passkeys_user: "(user_id)" },
    },
  },
} as const satisfies SchemaPart;
