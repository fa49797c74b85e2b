import { PROMOTION_EFFECTS, PROMOTION_KINDS, PROMOTION_UNITS } from "@tollgate/contract/payments/promotions";
import { PROMOTION_USE_STATES } from "@tollgate/contract/records/promotion-record";
import { textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** Promotion codes, activities and their uses (docs/guides/promotions.md). */
export const PROMOTIONS = {
  tables: {
    promotions: {
      columns: {
        id: "AUTO_ID",
        kind: textIn(PROMOTION_KINDS, "TEXT NOT NULL"),
        /** In capitals; NULL for an activity. */
        code: "SORTED_TEXT CONSTRAINT promotions_code_unique UNIQUE",
        name: "SORTED_TEXT NOT NULL",
        is_enabled: "INTEGER NOT NULL",
        effect: textIn(PROMOTION_EFFECTS, "TEXT NOT NULL"),
        unit: textIn(PROMOTION_UNITS, "TEXT NOT NULL"),
        /** JSON. */
        steps: "TEXT NOT NULL",
        max_effect: "QUOTA NOT NULL",
        /** Comma lists; '' of groups for all. */
        products: "TEXT NOT NULL",
        groups: "TEXT NOT NULL",
        is_first_only: "INTEGER NOT NULL",
        is_combinable: "INTEGER NOT NULL",
        /** Unix seconds; the end is excluded. 0 for no bound, as of the next three. */
        starts_at: "INTEGER NOT NULL",
        ends_at: "INTEGER NOT NULL",
        max_uses: "INTEGER NOT NULL",
        max_uses_per_user: "INTEGER NOT NULL",
        max_total: "QUOTA NOT NULL",
        /** Uses that were not returned, and their effects. */
        used_count: "INTEGER NOT NULL CHECK (used_count >= 0)",
        used_total: "QUOTA NOT NULL CHECK (used_total >= 0)",
        maker_id: "INTEGER NOT NULL",
        author: "TEXT NOT NULL",
        created_time: "INTEGER NOT NULL",
        updated_time: "INTEGER NOT NULL",
      },
      indexes: { promotions_running: "(id) WHERE kind = 'activity' AND is_enabled = 1" },
    },
    /** Uses outlive their user and their order, as entries of the ledger do. */
    promotion_uses: {
      columns: {
        id: "AUTO_ID",
        promotion_id: "INTEGER NOT NULL",
        user_id: "INTEGER NOT NULL",
        /** 0 for a registration. */
        order_id: "INTEGER NOT NULL",
        quota: "QUOTA NOT NULL CHECK (quota > 0)",
        state: textIn(PROMOTION_USE_STATES, "TEXT NOT NULL"),
        created_time: "INTEGER NOT NULL",
      },
      indexes: {
        promotion_uses_promotion: "(promotion_id, user_id)",
        promotion_uses_user: "(user_id)",
        promotion_uses_order: "(order_id) WHERE order_id > 0",
      },
    },
  },
} as const satisfies SchemaPart;
