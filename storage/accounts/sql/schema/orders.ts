import { ORDER_STATES } from "@tollgate/contract/payments/order-machine";
import {
  PAYMENT_FAULTS,
  PLAN_ORDER_FAULTS,
  REFUND_KINDS,
  REFUND_STATES,
} from "@tollgate/contract/records/order-record";
import { since, textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** Orders, their refunds, and faults of callbacks (docs/guides/payments.md). */
export const ORDERS = {
  tables: {
    /** Orders outlive their user: like the ledger they account for payments. */
    orders: {
      columns: {
        id: "AUTO_ID",
        number: "TEXT NOT NULL UNIQUE",
        user_id: "INTEGER NOT NULL",
        username: "TEXT NOT NULL",
        /** A provider's name (contract/payments/providers.ts). */
        provider: "TEXT NOT NULL",
        method: "TEXT NOT NULL",
        state: textIn(ORDER_STATES, "TEXT NOT NULL"),
        /** US dollars of quota, as they were ordered. */
        usd: "TEXT NOT NULL",
        /** Minor units of the currency. */
        amount: "INTEGER NOT NULL CHECK (amount > 0)",
        currency: "TEXT NOT NULL",
        quota: "QUOTA NOT NULL CHECK (quota > 0)",
        bonus: "QUOTA NOT NULL DEFAULT 0",
        factor: "TEXT NOT NULL",
        /** The provider's ids of the checkout and the payment. */
        checkout: "TEXT NOT NULL DEFAULT ''",
        payment: "TEXT NOT NULL DEFAULT ''",
        pay_kind: textIn(["", "redirect", "qr"], "TEXT NOT NULL DEFAULT ''"),
        pay_content: "TEXT NOT NULL DEFAULT ''",
        /** JSON of the provider's last answer, without secrets. */
        words: "TEXT NOT NULL DEFAULT '{}'",
        refunded: "INTEGER NOT NULL DEFAULT 0",
        disputed: "INTEGER NOT NULL DEFAULT 0",
        taken: "QUOTA NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND quota)",
        is_late: "INTEGER NOT NULL DEFAULT 0",
        created_at: "INTEGER NOT NULL",
        expires_at: "INTEGER NOT NULL",
        paid_at: "INTEGER NOT NULL DEFAULT 0",
        /** When the provider was last queried about the order. */
        asked_at: "INTEGER NOT NULL DEFAULT 0",
        completed_by: "INTEGER NOT NULL DEFAULT 0",
        completed_name: "TEXT NOT NULL DEFAULT ''",
        reason: "TEXT NOT NULL DEFAULT ''",
        detail: "TEXT NOT NULL DEFAULT ''",
        /** The ordered plan; 0 and '' for quota. */
        plan_id: "INTEGER NOT NULL DEFAULT 0",
        /** JSON of the plan's terms when it was ordered. */
        plan_terms: "TEXT NOT NULL DEFAULT ''",
        /** The reason why the paid plan did not start; '' for none. */
        plan_fault: textIn(["", ...PLAN_ORDER_FAULTS], "TEXT NOT NULL DEFAULT ''"),
        /** The part of its price that came back when the plan was ended for a refund. */
        plan_back: "INTEGER NOT NULL DEFAULT 0",
        subscription_id: "INTEGER NOT NULL DEFAULT 0",
        /** The terms of the quote: the price of a US dollar of quota, and its quota. Decimals; '' in older orders. */
        unit_price: since("0020-actors", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
        quota_per_unit: since("0020-actors", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
        /** Minor units that promotions lowered the price by, and the part of the bonus that they give. */
        discount: since("0030-promotions", "INTEGER NOT NULL DEFAULT 0", { isWatched: false }),
        promotion_bonus: since("0030-promotions", "QUOTA NOT NULL DEFAULT 0", { isWatched: false }),
        /** JSON of its promotions; '' for none. */
        promotions: since("0030-promotions", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
      },
      indexes: {
        orders_user: "(user_id, id)",
        orders_state: "(state, id)",
        orders_payment: "(payment) WHERE payment <> ''",
        orders_pending: "(asked_at) WHERE state = 'pending'",
        orders_subscription: "(subscription_id) WHERE subscription_id > 0",
      },
    },
    /** Money that went back to buyers. */
    order_refunds: {
      columns: {
        id: "AUTO_ID",
        order_id: "INTEGER NOT NULL",
        reference: "TEXT NOT NULL",
        kind: textIn(REFUND_KINDS, "TEXT NOT NULL"),
        amount: "INTEGER NOT NULL",
        taken: "QUOTA NOT NULL DEFAULT 0",
        missing: "QUOTA NOT NULL DEFAULT 0",
        state: textIn(REFUND_STATES, "TEXT NOT NULL"),
        actor_id: "INTEGER NOT NULL DEFAULT 0",
        actor_name: "TEXT NOT NULL DEFAULT ''",
        reason: "TEXT NOT NULL DEFAULT ''",
        detail: "TEXT NOT NULL DEFAULT ''",
        created_at: "INTEGER NOT NULL",
        /** The provider's name for its refund that failed after it had been made. */
        failure: "TEXT NOT NULL DEFAULT ''",
        /** The administrator who settled by hand a refund whose outcome no provider reports; `settled_at` is 0 for all others. */
        settled_by: "INTEGER NOT NULL DEFAULT 0",
        settled_name: "TEXT NOT NULL DEFAULT ''",
        settled_reason: "TEXT NOT NULL DEFAULT ''",
        settled_at: "INTEGER NOT NULL DEFAULT 0",
      },
      constraints: ["UNIQUE (order_id, reference)"],
      indexes: { order_refunds_asking: "(id) WHERE state = 'asking'" },
    },
    /** Callbacks that changed nothing; each kind per order is one row with a count. */
    payment_faults: {
      columns: {
        provider: "TEXT NOT NULL",
        order_id: "INTEGER NOT NULL",
        fault: textIn(PAYMENT_FAULTS, "TEXT NOT NULL"),
        count: "INTEGER NOT NULL",
        first_at: "INTEGER NOT NULL",
        last_at: "INTEGER NOT NULL",
        words: "TEXT NOT NULL DEFAULT '{}'",
      },
      constraints: ["PRIMARY KEY (provider, order_id, fault)"],
    },
  },
} as const satisfies SchemaPart;
