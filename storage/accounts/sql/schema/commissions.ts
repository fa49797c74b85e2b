import { PAYOUT_STATES } from "@tollgate/contract/records/commission-record";
import { textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

export const COMMISSIONS = {
  tables: {
    /** Commission balances of inviters; each is the sum of its entries in the ledger (docs/money.md). */
    commission_accounts: {
      columns: {
        user_id: "INTEGER PRIMARY KEY",
        /** Can be turned into balance or requested. */
        commission: "QUOTA NOT NULL DEFAULT 0 CHECK (commission >= 0)",
        /** Requested, and not decided yet. */
        payout: "QUOTA NOT NULL DEFAULT 0 CHECK (payout >= 0)",
      },
    },
    /** Payments that an inviter earned from. */
    commissions: {
      columns: {
        id: "AUTO_ID",
        inviter_id: "INTEGER NOT NULL",
        user_id: "INTEGER NOT NULL",
        order_id: "INTEGER NOT NULL UNIQUE",
        base: "QUOTA NOT NULL",
        basis_points: "INTEGER NOT NULL",
        amount: "QUOTA NOT NULL CHECK (amount > 0)",
        taken_back: "QUOTA NOT NULL DEFAULT 0",
        /** The part that a refund claimed back after it was spent. */
        missing: "QUOTA NOT NULL DEFAULT 0",
        created_at: "INTEGER NOT NULL",
      },
      indexes: { commissions_inviter: "(inviter_id, id)" },
    },
    /** Commissions that inviters ask to be paid out. */
    payouts: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL",
        amount: "QUOTA NOT NULL CHECK (amount > 0)",
        state: textIn(PAYOUT_STATES, "SORTED_TEXT NOT NULL"),
        note: "SORTED_TEXT NOT NULL DEFAULT ''",
        created_at: "INTEGER NOT NULL",
        decided_at: "INTEGER NOT NULL DEFAULT 0",
        actor_id: "INTEGER NOT NULL DEFAULT 0",
        reason: "SORTED_TEXT NOT NULL DEFAULT ''",
      },
      indexes: { payouts_user: "(user_id, id)", payouts_state: "(state, id)" },
    },
  },
} as const satisfies SchemaPart;
