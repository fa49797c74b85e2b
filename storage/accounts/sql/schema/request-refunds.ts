import type { SchemaPart } from "../../../sql/schema-part";

export const REQUEST_REFUNDS = {
  tables: {
    /** Refunds of charged requests; they outlive their user, as entries of the ledger do. */
    request_refunds: {
      columns: {
        request_id: "SORTED_TEXT NOT NULL PRIMARY KEY",
        user_id: "INTEGER NOT NULL",
        token_id: "INTEGER NOT NULL",
        channel_id: "INTEGER NOT NULL",
        /** The charged model, as the log has it. */
        model_name: "TEXT NOT NULL",
        charged: "QUOTA NOT NULL",
        /** The refunded part. */
        quota: "QUOTA NOT NULL CHECK (quota > 0)",
        /** Parts of `quota` that went back to the key's own limit, and to plans. */
        key_quota: "QUOTA NOT NULL CHECK (key_quota >= 0)",
        plan_quota: "QUOTA NOT NULL CHECK (plan_quota >= 0)",
        actor_id: "INTEGER NOT NULL",
        actor_name: "TEXT NOT NULL",
        reason: "TEXT NOT NULL",
        created_at: "INTEGER NOT NULL",
      },
      constraints: ["CHECK (quota <= charged)"],
      indexes: {
        request_refunds_user: "(user_id, created_at)",
        request_refunds_time: "(created_at)",
      },
    },
  },
} as const satisfies SchemaPart;
