import type { SchemaPart } from "../../../sql/schema-part";

export const BUDGET_WINDOWS = {
  tables: {
    /**
     * The last window of hours of each budget (docs/reference/limits.md): it opens with the first charge after the one before,
     * and all nodes count in the window that is stored first.
     */
    budget_windows: {
      columns: {
        /** "key", "user" or "group". */
        scope: "TEXT NOT NULL",
        /** The number of the key or the user, or the name of the group. */
        subject: "TEXT NOT NULL",
        hours: "INTEGER NOT NULL",
        /** Start of an hour (UTC). */
        started: "INTEGER NOT NULL",
      },
      constraints: ["PRIMARY KEY (scope, subject, hours)"],
      isWithoutRowId: true,
    },
  },
} as const satisfies SchemaPart;
