import type { SchemaPart } from "../../../sql/schema-part";

export const SIGN_IN_PROVIDERS = {
  tables: {
    /** OpenID Connect providers (contract/records/sign-in-provider-record.ts). Ids are never reused. */
    sign_in_providers: {
      columns: {
        id: "AUTO_ID",
        slug: "TEXT NOT NULL CONSTRAINT sign_in_providers_slug_unique UNIQUE",
        name: "TEXT NOT NULL",
        issuer: "TEXT NOT NULL",
        client_id: "TEXT NOT NULL",
        /** '' for a public client. */
        client_secret_sealed: "TEXT NOT NULL",
        scopes: "TEXT NOT NULL",
        email_domains: "TEXT NOT NULL",
        group_claim: "TEXT NOT NULL",
        required_groups: "TEXT NOT NULL",
        is_enabled: "INTEGER NOT NULL",
        may_register: "INTEGER NOT NULL",
        created_time: "INTEGER NOT NULL",
      },
    },
  },
} as const satisfies SchemaPart;
