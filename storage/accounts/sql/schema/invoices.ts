import { INVOICE_STATES, TITLE_KINDS } from "@tollgate/contract/records/invoice-record";
import { textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** Invoice titles and applications for invoices (docs/guides/invoices.md). */
export const INVOICES = {
  tables: {
    invoice_titles: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        kind: textIn(TITLE_KINDS, "TEXT NOT NULL"),
        name: "TEXT NOT NULL",
        tax_number: "TEXT NOT NULL",
        email: "TEXT NOT NULL",
        address: "TEXT NOT NULL",
        phone: "TEXT NOT NULL",
        bank: "TEXT NOT NULL",
        account: "TEXT NOT NULL",
        is_default: "INTEGER NOT NULL",
      },
      indexes: { invoice_titles_user: "(user_id, id)" },
    },
    /** Applications outlive their user, as orders do. */
    invoices: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL",
        username: "TEXT NOT NULL",
        state: textIn(INVOICE_STATES, "SORTED_TEXT NOT NULL"),
        is_special: "INTEGER NOT NULL",
        title_kind: textIn(TITLE_KINDS, "TEXT NOT NULL"),
        title_name: "TEXT NOT NULL",
        tax_number: "TEXT NOT NULL",
        email: "TEXT NOT NULL",
        address: "TEXT NOT NULL",
        phone: "TEXT NOT NULL",
        bank: "TEXT NOT NULL",
        account: "TEXT NOT NULL",
        /** Minor units of the currency. */
        amount: "INTEGER NOT NULL CHECK (amount >= 0)",
        currency: "SORTED_TEXT NOT NULL",
        note: "TEXT NOT NULL DEFAULT ''",
        number: "TEXT NOT NULL DEFAULT ''",
        link: "TEXT NOT NULL DEFAULT ''",
        /** '' without a file. */
        file_type: textIn(["", "pdf", "ofd", "xml"], "TEXT NOT NULL DEFAULT ''"),
        file_size: "INTEGER NOT NULL DEFAULT 0",
        needs_reversal: "INTEGER NOT NULL DEFAULT 0",
        created_at: "INTEGER NOT NULL",
        decided_at: "INTEGER NOT NULL DEFAULT 0",
        decided_by: "INTEGER NOT NULL DEFAULT 0",
        decided_name: "TEXT NOT NULL DEFAULT ''",
        reason: "TEXT NOT NULL DEFAULT ''",
        reversed_at: "INTEGER NOT NULL DEFAULT 0",
        reversed_by: "INTEGER NOT NULL DEFAULT 0",
        reversed_name: "TEXT NOT NULL DEFAULT ''",
        reversed_reason: "TEXT NOT NULL DEFAULT ''",
      },
      indexes: { invoices_user: "(user_id, id)", invoices_state: "(state, id)" },
    },
    invoice_orders: {
      columns: {
        id: "AUTO_ID",
        invoice_id: "INTEGER NOT NULL",
        order_id: "INTEGER NOT NULL",
        /** The part of the application's amount. */
        amount: "INTEGER NOT NULL CHECK (amount >= 0)",
        /** The order while the application is open or its invoice stands: an order has one such application. */
        live_order_id: "INTEGER UNIQUE",
      },
      constraints: ["UNIQUE (invoice_id, order_id)"],
      indexes: { invoice_orders_order: "(order_id)" },
    },
    /** Files of issued invoices; `id` is the application's. */
    invoice_files: {
      columns: { id: "INTEGER PRIMARY KEY", content_sealed: "TEXT NOT NULL" },
    },
  },
} as const satisfies SchemaPart;
