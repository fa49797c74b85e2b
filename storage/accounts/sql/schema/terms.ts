import type { SchemaPart } from "../../../sql/schema-part";

export const TERMS = {
  tables: {
    /** Versions of the user agreement and the privacy policy (contract/api/terms.ts). */
    terms_versions: {
      columns: {
        /** The number of the version. */
        id: "INTEGER PRIMARY KEY",
        user_agreement: "TEXT NOT NULL",
        privacy_policy: "TEXT NOT NULL",
        asks_again: "INTEGER NOT NULL",
        author: "TEXT NOT NULL",
        published_at: "INTEGER NOT NULL",
      },
    },
    terms_acceptances: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        version: "INTEGER NOT NULL",
        accepted_at: "INTEGER NOT NULL",
      },
      constraints: ["UNIQUE (user_id, version)"],
      indexes: { terms_acceptances_version: "(version)" },
    },
  },
} as const satisfies SchemaPart;
