import type { SchemaPart } from "../../../sql/schema-part";

export const DONE_OPERATIONS = {
  tables: {
    /** References of administrators' operations that moved nothing, which an entry of the ledger cannot hold. */
    done_operations: {
      columns: {
        reference: "TEXT PRIMARY KEY",
        /** Unix seconds. */
        created_at: "INTEGER NOT NULL",
      },
      indexes: { done_operations_created: "(created_at)" },
      isWithoutRowId: true,
    },
  },
} as const satisfies SchemaPart;
