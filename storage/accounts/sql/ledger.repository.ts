import { LEDGER_SORTS, type LedgerEntry, type LedgerFilter } from "@tollgate/contract/api/ledger";
import { LEDGER_CAUSES, type LedgerCause } from "@tollgate/contract/records/ledger-entry";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { fieldsOf } from "../../sql/row-names";
import { readPage, storedColumns } from "../../sql/sort-rows";
import { wholeSum } from "../../sql/whole-sum";
import type { LedgerQueries } from "../money-ports";
import type { Tables } from "./tables";

/**
 * Maps a cause to the row that its entry's reference names: the order, or a refund or subscription of the order.
 * Commissions are left out: their order is another user's.
 */
const NAMED_BY: Partial<Record<LedgerCause, "order" | "refund" | "subscription">> = {
  payment: "order",
  promotion: "order",
  "payment-refund": "refund",
  "plan-purchase": "subscription",
  "plan-refund": "subscription",
  "plan-grant": "subscription",
  "plan-expiry": "subscription",
  "plan-parked": "subscription",
  "plan-unparked": "subscription",
};

const causesBy = (by: "order" | "refund" | "subscription"): LedgerCause[] =>
  LEDGER_CAUSES.filter((cause) => NAMED_BY[cause] === by);

/** Returns the references that the entries of an order use; empty for an unknown number. */
const namedByOrder = async (db: Kysely<Tables>, number: string) => {
  const order = await db
    .selectFrom("orders")
    .select(["id", "subscription_id"])
    .where("number", "=", number)
    .executeTakeFirst();
  const refunds = await db
    .selectFrom("order_refunds")
    .select("id")
    .where("order_id", "=", order?.id ?? 0)
    .execute();
  return [
    ...(order ? [{ by: "order", id: order.id } as const] : []),
    ...refunds.map(({ id }) => ({ by: "refund", id }) as const),
    ...(order && order.subscription_id > 0
      ? [{ by: "subscription", id: order.subscription_id } as const]
      : []),
  ];
};

const namedBy = async (db: Kysely<Tables>, { orderNumber }: LedgerFilter) =>
  orderNumber === undefined ? undefined : namedByOrder(db, orderNumber);

type Named = Awaited<ReturnType<typeof namedByOrder>>;

/** Whether an entry names one of these. */
const namesOneOf = ({ or, and, eb }: ExpressionBuilder<Tables, "ledger_entries">, named: Named) =>
  or(
    named.map(({ by, id }) =>
      and([
        eb("cause", "in", causesBy(by)),
        // The id, or the id with something behind a slash: "0" is the character after it.
        or([
          eb("reference", "=", String(id)),
          and([eb("reference", ">", `${id}/`), eb("reference", "<", `${id}0`)]),
        ]),
      ]),
    ),
  );

/** Entries that a filter leaves, with the names that users and keys have now. */
const entries = (
  db: Kysely<Tables>,
  { userId, account, cause, keyId, from, to }: LedgerFilter,
  named: Named | undefined,
) =>
  db
    .selectFrom("ledger_entries")
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom("users")
        .select("username")
        .whereRef("users.id", "=", "ledger_entries.user_id")
        .as("username"),
      eb
        .selectFrom("users")
        .select("username")
        .whereRef("users.id", "=", "ledger_entries.actor_id")
        .as("actor_name"),
      eb
        .selectFrom("tokens")
        .select("name")
        .whereRef("tokens.id", "=", "ledger_entries.key_id")
        .as("key_name"),
    ])
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .$if(account !== undefined, (query) => query.where("account", "=", account ?? "balance"))
    .$if(cause !== undefined, (query) => query.where("cause", "=", cause ?? "opening"))
    .$if(keyId !== undefined, (query) => query.where("account", "=", "key").where("key_id", "=", keyId ?? 0))
    .$if(named !== undefined, (query) => query.where((eb) => namesOneOf(eb, named ?? [])))
    .$if(from !== undefined, (query) => query.where("created_at", ">=", from ?? 0))
    .$if(to !== undefined, (query) => query.where("created_at", "<=", to ?? 0));

type Row = Awaited<ReturnType<ReturnType<typeof entries>["execute"]>>[number];

/** Of an entry, the order that it belongs to. */
interface EntryOrder {
  number: string;
  planFault: string;
}

const namedId = (reference: string | null): number => Number((reference ?? "").split("/", 1)[0]);

/** The order of each refund, by the refund's id. */
const ordersOfRefunds = async (
  db: Kysely<Tables>,
  refunds: ReadonlySet<number>,
): Promise<Map<number, number>> => {
  if (refunds.size === 0) return new Map();
  const rows = await db
    .selectFrom("order_refunds")
    .select(["id", "order_id"])
    .where("id", "in", [...refunds])
    .execute();
  return new Map(rows.map(({ id, order_id: order }) => [id, order]));
};

/** Orders by their ids, and by the subscriptions that they paid. */
const findOrders = async (db: Kysely<Tables>, ids: number[], subscriptions: number[]) => {
  const byId = new Map<number, EntryOrder>();
  const bySubscription = new Map<number, EntryOrder>();
  if (ids.length === 0 && subscriptions.length === 0) return { byId, bySubscription };
  const rows = await db
    .selectFrom("orders")
    .select(["id", "number", "plan_fault", "subscription_id"])
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb("id", "in", ids)] : []),
        ...(subscriptions.length > 0
          ? [eb.and([eb("subscription_id", "in", subscriptions), eb("subscription_id", ">", 0)])]
          : []),
      ]),
    )
    .execute();
  for (const row of rows) {
    const order = { number: row.number, planFault: row.plan_fault };
    byId.set(row.id, order);
    bySubscription.set(row.subscription_id, order);
  }
  return { byId, bySubscription };
};

/** The orders that entries of a page belong to, by the entries' ids: three look-ups by id for a page, however long it is. */
const ordersOf = async (db: Kysely<Tables>, rows: readonly Row[]): Promise<Map<number, EntryOrder>> => {
  const named = { order: new Set<number>(), refund: new Set<number>(), subscription: new Set<number>() };
  for (const { cause, reference } of rows) {
    const by = NAMED_BY[cause];
    const id = namedId(reference);
    if (by && Number.isSafeInteger(id)) named[by].add(id);
  }
  const ofRefund = await ordersOfRefunds(db, named.refund);
  for (const order of ofRefund.values()) named.order.add(order);
  const { byId, bySubscription } = await findOrders(db, [...named.order], [...named.subscription]);
  const found = new Map<number, EntryOrder>();
  for (const { id, cause, reference } of rows) {
    const by = NAMED_BY[cause];
    if (!by) continue;
    const name = namedId(reference);
    const order =
      by === "subscription"
        ? bySubscription.get(name)
        : byId.get(by === "refund" ? (ofRefund.get(name) ?? 0) : name);
    if (order) found.set(id, by === "order" ? order : { ...order, planFault: "" });
  }
  return found;
};

/** Returns entries with the orders that they belong to. */
const toEntries = async (db: Kysely<Tables>, rows: readonly Row[]): Promise<LedgerEntry[]> => {
  const orders = await ordersOf(db, rows);
  return rows.map((row) => toEntry(row, orders.get(row.id)));
};

const toEntry = (row: Row, order: EntryOrder | undefined): LedgerEntry => ({
  ...fieldsOf(row),
  username: row.username ?? "",
  keyName: row.key_name ?? "",
  reference: row.reference ?? "",
  orderNumber: order?.number ?? "",
  requestId: row.cause === "request-refund" ? (row.reference ?? "") : "",
  planFault: order?.planFault ?? "",
  actorName: row.actor_name ?? "",
});

export const ledgerReads = (db: Kysely<Tables>): LedgerQueries => ({
  async page(filter, offset, limit, sort) {
    const named = await namedBy(db, filter);
    const found = entries(db, filter, named);
    return toEntries(db, await readPage(found, sort, storedColumns(LEDGER_SORTS), { offset, limit }));
  },

  async moved(userId, from, end) {
    return await db
      .selectFrom("ledger_entries")
      .select((eb) => [
        "cause",
        eb.fn.countAll<number>().as("entries"),
        sql<number>`${sql.raw(wholeSum("amount"))}`.as("quota"),
      ])
      .where("user_id", "=", userId)
      .where("account", "=", "balance")
      .where("created_at", ">=", from)
      .$if(end !== undefined, (query) => query.where("created_at", "<", end ?? 0))
      .groupBy("cause")
      .orderBy("cause")
      .execute();
  },

  async total(userId, from, end) {
    const row = await db
      .selectFrom("ledger_entries")
      .select(sql<number | null>`${sql.raw(wholeSum("amount"))}`.as("quota"))
      .where("user_id", "=", userId)
      .where("account", "=", "balance")
      .where("created_at", ">=", from)
      .$if(end !== undefined, (query) => query.where("created_at", "<", end ?? 0))
      .executeTakeFirstOrThrow();
    return row.quota ?? 0;
  },

  async beginning(userId) {
    const user = await db
      .selectFrom("users")
      .select("unlogged_quota")
      .where("id", "=", userId)
      .executeTakeFirst();
    if (!user) return undefined;
    const moves = db
      .selectFrom("ledger_entries")
      .where("user_id", "=", userId)
      .where("account", "=", "balance");
    const brought = await moves
      .select("created_at")
      .where("cause", "in", ["opening", "imported"])
      .executeTakeFirst();
    const first = await moves.select("created_at").orderBy("created_at").limit(1).executeTakeFirst();
    return { at: brought?.created_at, first: first?.created_at, unlogged: user.unlogged_quota };
  },

  async before(filter, id, limit) {
    const named = await namedBy(db, filter);
    const found = entries(db, filter, named).where("id", "<", id);
    return toEntries(db, await found.orderBy("id", "desc").limit(limit).execute());
  },
});
