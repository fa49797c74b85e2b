import type { InvoiceRecord } from "@tollgate/contract/records/invoice-record";
import type { Kysely } from "kysely";
import { fieldsOf } from "../../sql/row-names";
import type { Row, Tables } from "./tables";

/** Adds the orders of applications to their rows. */
export const withOrders = async (
  db: Kysely<Tables>,
  rows: readonly Row<"invoices">[],
): Promise<InvoiceRecord[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const orders = await db
    .selectFrom("invoice_orders")
    .innerJoin("orders", "orders.id", "invoice_orders.order_id")
    .select(["invoice_orders.invoice_id", "orders.number", "invoice_orders.amount"])
    .where("invoice_id", "in", ids)
    .orderBy("invoice_orders.id")
    .execute();
  return rows.map((row) => {
    const { title_kind, title_name, tax_number, email, address, phone, bank, account, ...rest } = row;
    const { decided_by, reversed_by, is_special, needs_reversal, ...fields } = rest;
    return {
      ...fieldsOf(fields),
      isSpecial: is_special === 1,
      needsReversal: needs_reversal === 1,
      title: {
        kind: title_kind,
        name: title_name,
        taxNumber: tax_number,
        email,
        address,
        phone,
        bank,
        account,
      },
      orders: orders
        .filter((order) => order.invoice_id === row.id)
        .map(({ number, amount }) => ({ number, amount })),
    };
  });
};
