import type { SchemaPart } from "../../../sql/schema-part";

/** Notices (docs/guides/notices.md). Rows go with their user; `user_id` is NULL for those of the site. */
export const NOTICES = {
  tables: {
    /** Targets that notices are sent to. */
    notice_ways: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER REFERENCES users (id) ON DELETE CASCADE",
        /** A target's name (contract/notices/notice-targets.ts). */
        kind: "TEXT NOT NULL",
        name: "TEXT NOT NULL DEFAULT ''",
        is_enabled: "INTEGER NOT NULL DEFAULT 1",
        language: "TEXT NOT NULL DEFAULT ''",
        /** Names of events with commas before, between and behind them. */
        events: "TEXT NOT NULL DEFAULT ''",
        /** JSON of the target's fields, sealed. */
        fields_sealed: "TEXT NOT NULL",
        created_time: "INTEGER NOT NULL",
      },
      indexes: { notice_ways_user: "(user_id)" },
    },
    /** Incidents that notices were sent for, so that each is sent once. */
    notice_incidents: {
      columns: {
        event: "TEXT NOT NULL",
        subject: "TEXT NOT NULL",
        user_id: "INTEGER REFERENCES users (id) ON DELETE CASCADE",
        params: "TEXT NOT NULL",
        opened_at: "INTEGER NOT NULL",
        /** Since when it seems to be over; NULL while it goes on. */
        resolved_at: "INTEGER",
        /** How often it was raised. */
        raised: "INTEGER NOT NULL DEFAULT 1",
      },
      constraints: ["PRIMARY KEY (event, subject)"],
      indexes: { notice_incidents_user: "(user_id)" },
    },
    /** Notices to send, and sent ones. */
    notices: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER REFERENCES users (id) ON DELETE CASCADE",
        /** 0 for the e-mail of a user who has set no target. */
        way_id: "INTEGER NOT NULL",
        /** The target as it was when the notice was stored. */
        way_kind: "TEXT NOT NULL",
        way_name: "TEXT NOT NULL DEFAULT ''",
        event: "TEXT NOT NULL",
        phase: "TEXT NOT NULL",
        subject: "TEXT NOT NULL DEFAULT ''",
        params: "TEXT NOT NULL",
        message_id: "TEXT NOT NULL",
        created_at: "INTEGER NOT NULL",
        /** "waiting", "sent" or "failed". */
        state: "TEXT NOT NULL",
        due_at: "INTEGER NOT NULL",
        /** Until when a node is at it; 0 for none. */
        claimed_until: "INTEGER NOT NULL DEFAULT 0",
        tried_at: "INTEGER NOT NULL DEFAULT 0",
        attempts: "INTEGER NOT NULL DEFAULT 0",
        fault: "TEXT NOT NULL DEFAULT ''",
        /** HTTP status of the last answer; 0 for none. */
        status: "INTEGER NOT NULL DEFAULT 0",
        /** The service's answer, without secrets. */
        detail: "TEXT NOT NULL DEFAULT ''",
      },
      indexes: {
        notices_waiting: "(due_at) WHERE state = 'waiting'",
        notices_tried: "(way_id, tried_at)",
        notices_user: "(user_id)",
      },
    },
    /** The balance below which a user wants a notice. */
    notice_thresholds: {
      columns: {
        user_id: "INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
        quota: "QUOTA NOT NULL CHECK (quota >= 0)",
      },
    },
  },
} as const satisfies SchemaPart;
