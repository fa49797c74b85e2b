import { PRICE_DRAFT_STATES } from "@tollgate/contract/management/price-draft";
import { since, textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/**
 * `key_rotation` is the mark of a change of the master key: a text sealed under the new key while secrets are sealed again
 * (storage/rotate/).
 */
export const SITE = {
  tables: {
    options: {
      columns: {
        key: "SORTED_TEXT PRIMARY KEY",
        value: "TEXT NOT NULL",
        /** 1 when the value is sealed, because the option is a secret. */
        is_sealed: "INTEGER NOT NULL DEFAULT 0",
      },
      isWithoutRowId: true,
    },
    audit: {
      columns: {
        id: "AUTO_ID",
        created_at: "INTEGER NOT NULL",
        user_id: "INTEGER NOT NULL",
        username: "TEXT NOT NULL",
        address: "TEXT NOT NULL DEFAULT ''",
        /** "channel.update", "user.promote" … */
        action: "TEXT NOT NULL",
        /** Target of the action: an id, a name, an option's key. */
        target: "TEXT NOT NULL DEFAULT ''",
        /** JSON of the changes, without secrets. */
        detail: "TEXT NOT NULL DEFAULT ''",
        /** The person whose account, money or price it concerns; 0 and '' for none. */
        beneficiary_id: since("0020-actors", "INTEGER NOT NULL DEFAULT 0", { isWatched: false }),
        beneficiary: since("0020-actors", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
      },
      indexes: { audit_time: "(created_at)" },
    },
    /** Drafts of prices (contract/management/price-draft.ts). */
    price_drafts: {
      columns: {
        id: "AUTO_ID",
        name: "TEXT NOT NULL",
        author_id: "INTEGER NOT NULL",
        author: "TEXT NOT NULL",
        created_at: "INTEGER NOT NULL",
        changed_at: "INTEGER NOT NULL",
        revision: "INTEGER NOT NULL",
        state: textIn(PRICE_DRAFT_STATES, "TEXT NOT NULL"),
        /** 0 without a start time. */
        holds_from: "INTEGER NOT NULL",
        fault: "TEXT NOT NULL",
        /** JSON of the changes, and of the state they were made against. */
        changes: "TEXT NOT NULL",
        base: "TEXT NOT NULL",
        /** State, last heartbeat and JSON of the last rehearsal; '' and 0 before the first one. */
        rehearsal_state: "TEXT NOT NULL",
        rehearsal_seen: "INTEGER NOT NULL",
        rehearsal: "TEXT NOT NULL",
      },
    },
  },
  common: "CREATE TABLE key_rotation (id INTEGER PRIMARY KEY CHECK (id = 1), sealed TEXT NOT NULL);",
} as const satisfies SchemaPart;

/** The lines about one person, the newest first. */
export const AUDIT_OF_PERSON = {
  common: "CREATE INDEX audit_person ON audit (beneficiary_id, id);\n",
} as const satisfies SchemaPart;
