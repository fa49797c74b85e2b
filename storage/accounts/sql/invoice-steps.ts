import { minorDigits } from "@tollgate/contract/payments/currency-codes";
import type {
  DecidedInvoice,
  InvoiceActor,
  InvoiceFault,
  InvoiceLimits,
  InvoiceRecord,
  NewInvoice,
} from "@tollgate/contract/records/invoice-record";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import { type Expression, type Kysely, type SqlBool, sql, type Updateable } from "kysely";
import type { Secrets } from "../../secrets";
import type { InvoiceChanges } from "../invoice-ports";
import { checkFavour } from "./check-favour";
import { followMoney, freeOrders, invoiceableAmount } from "./invoice-orders";
import { withOrders } from "./invoice-rows";
import { lockOrder } from "./order-rows";
import type { Row, Tables } from "./tables";

/*
 * Steps of an application. Locks are taken in one order everywhere, so that no two transactions wait for each other:
 * orders by their numbers, then the application. A refund holds the order's lock as well.
 */

const DAY_SECONDS = 86_400;

/** Why no application is made, which undoes the whole transaction. */
class ApplyRefused extends Error {
  constructor(
    readonly fault: InvoiceFault,
    readonly order = "",
  ) {
    super(fault);
  }
}

const lockOrders = async (db: Kysely<Tables>, numbers: readonly string[]): Promise<OrderRecord[]> => {
  const orders: OrderRecord[] = [];
  for (const number of [...new Set(numbers)].sort()) {
    const order = await lockOrder(db, { number });
    if (order) orders.push(order);
  }
  return orders;
};

/** Orders that an application may have, locked. @throws ApplyRefused */
const findOrders = async (
  db: Kysely<Tables>,
  { userId, orders: numbers }: NewInvoice,
  { minimum }: InvoiceLimits,
): Promise<OrderRecord[]> => {
  const orders = await lockOrders(db, numbers);
  const found = new Map(orders.map((order) => [order.number, order]));
  for (const number of numbers) {
    const order = found.get(number);
    // An order of another user looks like one that does not exist.
    if (order?.userId !== userId) throw new ApplyRefused("order-unknown", number);
    if (order.state === "refunded" || (order.state === "partly-refunded" && invoiceableAmount(order) === 0))
      throw new ApplyRefused("order-refunded", number);
    if (order.state !== "paid" && order.state !== "partly-refunded")
      throw new ApplyRefused("order-not-paid", number);
    if (order.currency !== orders[0]?.currency) throw new ApplyRefused("currencies-differ", number);
  }
  const ids = orders.map(({ id }) => id);
  const taken = await db
    .selectFrom("invoice_orders")
    .select("order_id")
    .where("live_order_id", "in", ids)
    .executeTakeFirst();
  if (taken)
    throw new ApplyRefused("order-invoiced", orders.find(({ id }) => id === taken.order_id)?.number ?? "");
  const least = Math.ceil(minimum * 10 ** minorDigits(orders[0]?.currency ?? ""));
  if (orders.reduce((sum, order) => sum + invoiceableAmount(order), 0) < least)
    throw new ApplyRefused("below-minimum");
  return orders;
};

/** @throws ApplyRefused for a user with too many applications. */
const checkCounts = async (
  db: Kysely<Tables>,
  { userId, createdAt }: NewInvoice,
  { maxOpen, maxDaily }: InvoiceLimits,
): Promise<void> => {
  const count = (isCounted: Expression<SqlBool>) =>
    db
      .selectFrom("invoices")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .where(isCounted)
      .executeTakeFirstOrThrow();
  const open = await count(sql<SqlBool>`state = 'open'`);
  if (Number(open.count) >= maxOpen) throw new ApplyRefused("too-many-open");
  const today = await count(sql<SqlBool>`created_at > ${createdAt - DAY_SECONDS}`);
  if (Number(today.count) >= maxDaily) throw new ApplyRefused("too-many-today");
};

const recordOf = async (db: Kysely<Tables>, row: Row<"invoices">): Promise<InvoiceRecord> => {
  const [invoice] = await withOrders(db, [row]);
  if (!invoice) throw new Error(`the application ${row.id} is gone`);
  return invoice;
};

const storeNew = async (
  db: Kysely<Tables>,
  { userId, username, isSpecial, title, note, createdAt }: NewInvoice,
  orders: readonly OrderRecord[],
): Promise<InvoiceRecord> => {
  const row = await db
    .insertInto("invoices")
    .values({
      user_id: userId,
      username,
      state: "open",
      is_special: Number(isSpecial),
      title_kind: title.kind,
      title_name: title.name,
      tax_number: title.taxNumber,
      email: title.email,
      address: title.address,
      phone: title.phone,
      bank: title.bank,
      account: title.account,
      amount: orders.reduce((sum, order) => sum + invoiceableAmount(order), 0),
      currency: orders[0]?.currency ?? "",
      note,
      created_at: createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto("invoice_orders")
    .values(
      orders.map((order) => ({
        invoice_id: row.id,
        order_id: order.id,
        amount: invoiceableAmount(order),
        live_order_id: order.id,
      })),
    )
    .execute();
  return recordOf(db, row);
};

export const apply =
  (db: Kysely<Tables>): InvoiceChanges["apply"] =>
  async (invoice, limits) => {
    try {
      return await db.transaction().execute(async (transaction) => {
        const orders = await findOrders(transaction, invoice, limits);
        await checkCounts(transaction, invoice, limits);
        return { kind: "made", invoice: await storeNew(transaction, invoice, orders) } as const;
      });
    } catch (error) {
      if (error instanceof ApplyRefused)
        return { kind: "refused", fault: error.fault, order: error.order } as const;
      throw error;
    }
  };

export const withdraw =
  (db: Kysely<Tables>): InvoiceChanges["withdraw"] =>
  (userId, id, at) =>
    db.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable("invoices")
        .set({ state: "withdrawn", decided_at: at })
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .where("state", "=", "open")
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      await freeOrders(transaction, id);
      return recordOf(transaction, row);
    });

/** Locks an application and checks who decides about it. @returns undefined without one. */
const lockInvoice = async (
  db: Kysely<Tables>,
  id: number,
  actorId: number,
): Promise<Row<"invoices"> | undefined> => {
  const row = await db
    .updateTable("invoices")
    .set((eb) => ({ state: eb.ref("state") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (row) await checkFavour(db, [actorId], row.user_id);
  return row;
};

const storeDecision = async (
  db: Kysely<Tables>,
  id: number,
  change: Updateable<Tables["invoices"]>,
): Promise<InvoiceRecord> =>
  recordOf(
    db,
    await db
      .updateTable("invoices")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

const decisionOf = ({ actorId, actorName, at }: InvoiceActor) => ({
  decided_by: actorId,
  decided_name: actorName,
  decided_at: at,
});

export const issue =
  (db: Kysely<Tables>, secrets: Secrets): InvoiceChanges["issue"] =>
  (id, { amount, number, link, file, ...by }) =>
    db.transaction().execute(async (transaction): Promise<DecidedInvoice> => {
      // Refunds hold the locks of their orders: the amount is final from here on.
      const parts = await transaction
        .selectFrom("invoice_orders")
        .innerJoin("orders", "orders.id", "invoice_orders.order_id")
        .select("orders.number")
        .where("invoice_id", "=", id)
        .execute();
      const orders = await lockOrders(
        transaction,
        parts.map((part) => part.number),
      );
      const row = await lockInvoice(transaction, id, by.actorId);
      if (!row) return "not-found";
      if (row.state !== "open") return "decided";
      const paid = orders.reduce((sum, order) => sum + invoiceableAmount(order), 0);
      // A node of an older version refunds without a look at applications.
      if (row.amount !== paid) for (const order of orders) await followMoney(transaction, order, by.at);
      if (row.amount !== amount || paid !== amount) return "amount-changed";
      if (file)
        await transaction
          .insertInto("invoice_files")
          .values({ id, content_sealed: secrets.seal(file.content) })
          .execute();
      return storeDecision(transaction, id, {
        ...decisionOf(by),
        state: "issued",
        number,
        link,
        file_type: file?.type ?? "",
        file_size: file ? Buffer.from(file.content, "base64").byteLength : 0,
      });
    });

/** Declines an open application, or marks an issued invoice as reversed. */
export const decide =
  (db: Kysely<Tables>, state: "declined" | "reversed"): InvoiceChanges["decline"] =>
  (id, { reason, ...by }) =>
    db.transaction().execute(async (transaction): Promise<DecidedInvoice> => {
      const row = await lockInvoice(transaction, id, by.actorId);
      if (!row) return "not-found";
      if (row.state !== (state === "declined" ? "open" : "issued")) return "decided";
      await freeOrders(transaction, id);
      return storeDecision(
        transaction,
        id,
        state === "declined"
          ? { ...decisionOf(by), state, reason }
          : {
              state,
              needs_reversal: 0,
              reversed_by: by.actorId,
              reversed_name: by.actorName,
              reversed_at: by.at,
              reversed_reason: reason,
            },
      );
    });
