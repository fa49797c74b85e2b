import { moneyBack } from "@tollgate/contract/payments/order-machine";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import type { Kysely } from "kysely";
import type { Row, Tables } from "./tables";

/** The money of an order that an invoice may be about. */
export const invoiceableAmount = (order: OrderRecord): number => order.amount - moneyBack(order);

/** The application that an order is in, while it is open or its invoice stands; locked until the transaction ends. */
const lockLive = async (db: Kysely<Tables>, orderId: number): Promise<Row<"invoices"> | undefined> => {
  const row = await db
    .selectFrom("invoice_orders")
    .select("invoice_id")
    .where("live_order_id", "=", orderId)
    .executeTakeFirst();
  return (
    row &&
    (await db
      .updateTable("invoices")
      .set((eb) => ({ state: eb.ref("state") }))
      .where("id", "=", row.invoice_id)
      // It may have ended while this waited for its lock.
      .where("state", "in", ["open", "issued"])
      .returningAll()
      .executeTakeFirst())
  );
};

/** Whether an order's invoice was issued and not reversed. The caller holds the order's lock. */
export const isInvoiced = async (db: Kysely<Tables>, orderId: number): Promise<boolean> =>
  (await lockLive(db, orderId))?.state === "issued";

/** Ends an application: its orders are free for another one. */
export const freeOrders = async (db: Kysely<Tables>, invoiceId: number): Promise<void> => {
  await db
    .updateTable("invoice_orders")
    .set({ live_order_id: null })
    .where("invoice_id", "=", invoiceId)
    .execute();
};

/** Returns the part that each order has of an application, and its sum. */
const partsOf = async (db: Kysely<Tables>, invoiceId: number): Promise<number> => {
  const rows = await db
    .selectFrom("invoice_orders")
    .select("amount")
    .where("invoice_id", "=", invoiceId)
    .execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
};

/** The orders of an application as they are now; their money that did not go back. */
const paidNow = async (db: Kysely<Tables>, invoiceId: number): Promise<number> => {
  const rows = await db
    .selectFrom("invoice_orders")
    .innerJoin("orders", "orders.id", "invoice_orders.order_id")
    .select(["orders.amount", "orders.refunded", "orders.disputed"])
    .where("invoice_id", "=", invoiceId)
    .execute();
  return rows.reduce(
    (sum, { amount, refunded, disputed }) => sum + amount - Math.min(amount, refunded + disputed),
    0,
  );
};

/**
 * Brings an order's application in line with its money, within the transaction that moved the money. The amount of an
 * open application follows, and an application over nothing ends. An issued invoice over more than was paid needs to be
 * reversed.
 * @param order as it is stored now. @returns the id of an invoice that needs to be reversed since now.
 */
export const followMoney = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  at: number,
): Promise<number | undefined> => {
  const invoice = await lockLive(db, order.id);
  if (!invoice) return undefined;
  const { id } = invoice;
  if (invoice.state === "open") {
    await db
      .updateTable("invoice_orders")
      .set({ amount: invoiceableAmount(order) })
      .where("invoice_id", "=", id)
      .where("order_id", "=", order.id)
      .execute();
    const amount = await partsOf(db, id);
    const ended = amount === 0 ? ({ state: "withdrawn", decided_at: at } as const) : {};
    await db
      .updateTable("invoices")
      .set({ amount, ...ended })
      .where("id", "=", id)
      .execute();
    if (amount === 0) await freeOrders(db, id);
    return undefined;
  }
  const needsReversal = (await paidNow(db, id)) < invoice.amount;
  if (needsReversal === (invoice.needs_reversal === 1)) return undefined;
  await db
    .updateTable("invoices")
    .set({ needs_reversal: Number(needsReversal) })
    .where("id", "=", id)
    .execute();
  return needsReversal ? id : undefined;
};
