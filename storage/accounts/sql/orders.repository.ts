import { ORDER_SORTS } from "@tollgate/contract/api/orders";
import type { OrderFilter, OrderRecord, RefundRecord } from "@tollgate/contract/records/order-record";
import { type Kysely, sql } from "kysely";
import type { SqlDialect } from "../../sql/dialect";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import { wholeSum } from "../../sql/whole-sum";
import type { OrderChanges, OrderQueries } from "../money-ports";
import { createOrder, takeStep } from "./order-payments";
import { beginRefund, endRefund, sendBack, takeHeld, takeReturned } from "./order-refunds";
import { toFault, toOrder, toRefund } from "./order-rows";
import type { Tables } from "./tables";

/** The beginning of a number, as lists show it; shorter texts are names. */
const NUMBER_START = /^[\da-f]{6,31}$/;

const matching = (db: Kysely<Tables>, { userId, state, provider, hasOpenRefund, keyword }: OrderFilter) =>
  db
    .selectFrom("orders")
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .$if(state !== undefined, (query) => query.where(sql<boolean>`state = ${state}`))
    .$if(provider !== undefined, (query) => query.where("provider", "=", provider ?? ""))
    .$if(hasOpenRefund === true, (query) =>
      query.where((eb) =>
        eb(
          "id",
          "in",
          eb.selectFrom("order_refunds").select("order_id").where("state", "in", ["asking", "by-hand"]),
        ),
      ),
    )
    .$if(keyword !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb("number", "=", keyword ?? ""),
          // "g" is the character after the last hexadecimal digit.
          ...(NUMBER_START.test(keyword ?? "")
            ? [eb.and([eb("number", ">", keyword ?? ""), eb("number", "<", `${keyword}g`)])]
            : []),
          eb("payment", "=", keyword ?? ""),
          eb("username", "=", keyword ?? ""),
        ]),
      ),
    );

const filtered = (db: Kysely<Tables>, filter: OrderFilter) => matching(db, filter).selectAll();

/** Refunds in a state, with their orders, the oldest first. */
const refundsIn = async (
  db: Kysely<Tables>,
  state: "asking" | "taking" | "by-hand",
  limit: number,
): Promise<{ order: OrderRecord; refund: RefundRecord }[]> => {
  const refunds = await db
    .selectFrom("order_refunds")
    .selectAll()
    .where("state", "=", state)
    .orderBy("id")
    .limit(limit)
    .execute();
  if (refunds.length === 0) return [];
  const ids = refunds.map((refund) => refund.order_id);
  const rows = await db.selectFrom("orders").selectAll().where("id", "in", ids).execute();
  const orders = new Map(rows.map((row) => [row.id, toOrder(row)]));
  return refunds.flatMap((refund) => {
    const order = orders.get(refund.order_id);
    return order ? [{ order, refund: toRefund(refund) }] : [];
  });
};

export const orderReads = (db: Kysely<Tables>): OrderQueries => ({
  async find(number) {
    const row = await db.selectFrom("orders").selectAll().where("number", "=", number).executeTakeFirst();
    return row && toOrder(row);
  },

  async findByPayment(provider, payment) {
    const row = await db
      .selectFrom("orders")
      .selectAll()
      .where("payment", "=", payment)
      .where("payment", "<>", "")
      .where("provider", "=", provider)
      .executeTakeFirst();
    return row && toOrder(row);
  },

  async page(filter, offset, limit, sort) {
    const rows = await readPage(
      filtered(db, filter),
      sort,
      {
        ...storedColumns(ORDER_SORTS),
        created_time: sql.ref("created_at"),
        username: nameColumn("username"),
      },
      { offset, limit },
    );
    return rows.map(toOrder);
  },

  async before(filter, id, limit) {
    const rows = await filtered(db, filter).where("id", "<", id).orderBy("id", "desc").limit(limit).execute();
    return rows.map(toOrder);
  },

  async totals(filter) {
    return await matching(db, filter)
      .select((eb) => [
        "state",
        "currency",
        eb.fn.countAll<number>().as("count"),
        sql<number>`${sql.raw(wholeSum("amount"))}`.as("amount"),
        sql<number>`${sql.raw(wholeSum("refunded"))}`.as("refunded"),
      ])
      .groupBy(["state", "currency"])
      .orderBy("state")
      .orderBy("currency")
      .execute();
  },

  async refunds(orderId) {
    const rows = await db
      .selectFrom("order_refunds")
      .selectAll()
      .where("order_id", "=", orderId)
      .orderBy("id")
      .execute();
    return rows.map(toRefund);
  },

  asking: (limit) => refundsIn(db, "asking", limit),
  taking: (limit) => refundsIn(db, "taking", limit),
  byHand: (limit) => refundsIn(db, "by-hand", limit),

  async faults(orderId, limit) {
    const rows = await db
      .selectFrom("payment_faults")
      .selectAll()
      .$if(orderId !== undefined, (query) => query.where("order_id", "=", orderId ?? 0))
      .orderBy("last_at", "desc")
      .limit(limit)
      .execute();
    return rows.map(toFault);
  },
});

const noteFault =
  (db: Kysely<Tables>): OrderChanges["noteFault"] =>
  async ({ provider, orderId, fault, lastAt, words }) => {
    const row = await db
      .insertInto("payment_faults")
      .values({
        provider,
        order_id: orderId,
        fault,
        count: 1,
        first_at: lastAt,
        last_at: lastAt,
        words: JSON.stringify(words),
      })
      .onConflict((conflict) =>
        conflict.columns(["provider", "order_id", "fault"]).doUpdateSet({
          count: sql<number>`payment_faults.count + 1`,
          last_at: lastAt,
          words: JSON.stringify(words),
        }),
      )
      .returning("count")
      .executeTakeFirstOrThrow();
    return row.count;
  };

const claimOpen =
  (db: Kysely<Tables>): OrderChanges["claimOpen"] =>
  async (before, now, limit) => {
    const rows = await db
      .updateTable("orders")
      .set({ asked_at: now })
      .where(
        sql<boolean>`id IN (SELECT id FROM orders WHERE state = 'pending' AND asked_at <= ${before}
          ORDER BY asked_at, id LIMIT ${limit})`,
      )
      .where("state", "=", "pending")
      .where("asked_at", "<=", before)
      .returningAll()
      .execute();
    return rows.map(toOrder);
  };

export const orderWrites = (db: Kysely<Tables>, dialect: SqlDialect): OrderChanges => ({
  create: createOrder(db),

  async begin(id, checkout, pay) {
    await db
      .updateTable("orders")
      .set({ checkout, pay_kind: pay.kind, pay_content: pay.content })
      .where("id", "=", id)
      .execute();
  },

  step: takeStep(db, dialect),
  sendBack: sendBack(db, dialect),
  beginRefund: beginRefund(db, dialect),
  endRefund: endRefund(db),
  takeHeld: takeHeld(db, dialect),
  takeReturned: takeReturned(db),
  noteFault: noteFault(db),
  claimOpen: claimOpen(db),
});
