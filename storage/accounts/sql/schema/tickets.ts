import {
  TICKET_CATEGORIES,
  TICKET_ENTRY_KINDS,
  TICKET_SIDES,
  TICKET_STATES,
} from "@tollgate/contract/records/ticket-record";
import { textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** Tickets of users (docs/guides/tickets.md). They account for nothing, and go with their user. */
export const TICKETS = {
  tables: {
    /**
     * Counts the messages of each user's last day. A user's step locks this row first, so that parallel steps pass no
     * limit; the deletion of a user locks it first as well, because its table is the first.
     */
    ticket_senders: {
      columns: {
        user_id: "INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
        /** Days since 1970, in UTC. */
        day: "INTEGER NOT NULL",
        messages: "INTEGER NOT NULL",
      },
    },
    tickets: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        subject: "SORTED_TEXT NOT NULL",
        category: textIn(TICKET_CATEGORIES, "SORTED_TEXT NOT NULL"),
        state: textIn(TICKET_STATES, "SORTED_TEXT NOT NULL"),
        /** '' without an attached receipt. */
        request_id: "TEXT NOT NULL",
        assignee_id: "INTEGER NOT NULL DEFAULT 0",
        assignee_name: "TEXT NOT NULL DEFAULT ''",
        /** Without notes. */
        message_count: "INTEGER NOT NULL",
        created_at: "INTEGER NOT NULL",
        changed_at: "INTEGER NOT NULL",
      },
      indexes: { tickets_user: "(user_id, id)", tickets_state: "(state, changed_at)" },
    },
    ticket_entries: {
      columns: {
        id: "AUTO_ID",
        ticket_id: "INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE",
        kind: textIn(TICKET_ENTRY_KINDS, "TEXT NOT NULL"),
        side: textIn(TICKET_SIDES, "TEXT NOT NULL"),
        author_id: "INTEGER NOT NULL",
        author_name: "TEXT NOT NULL",
        /** '' without a text. Users may write secrets, keys included. */
        text_sealed: "TEXT NOT NULL",
        created_at: "INTEGER NOT NULL",
      },
      indexes: { ticket_entries_ticket: "(ticket_id, id)" },
    },
  },
} as const satisfies SchemaPart;
