import type { SchemaPart } from "../../../sql/schema-part";

export const ANNOUNCEMENTS = {
  tables: {
    /** Announcements (contract/api/announcements.ts). */
    announcements: {
      columns: {
        id: "AUTO_ID",
        title: "TEXT NOT NULL",
        body: "TEXT NOT NULL",
        level: "TEXT NOT NULL",
        is_pinned: "INTEGER NOT NULL",
        /** A comma list, '' for all. */
        groups: "TEXT NOT NULL",
        is_public: "INTEGER NOT NULL",
        starts_at: "INTEGER NOT NULL",
        /** 0 without an end. */
        ends_at: "INTEGER NOT NULL",
        author: "TEXT NOT NULL",
        created_time: "INTEGER NOT NULL",
        updated_time: "INTEGER NOT NULL",
      },
      indexes: { announcements_start: "(starts_at)" },
    },
  },
} as const satisfies SchemaPart;
