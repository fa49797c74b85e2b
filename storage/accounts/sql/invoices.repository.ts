import { INVOICE_SORTS } from "@tollgate/contract/api/invoices";
import type { InvoiceFilter, InvoiceTitle, StoredTitle } from "@tollgate/contract/records/invoice-record";
import { type Kysely, sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { fieldsOf } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import type { InvoiceChanges, InvoiceQueries } from "../invoice-ports";
import { withOrders } from "./invoice-rows";
import { apply, decide, issue, withdraw } from "./invoice-steps";
import type { Row, Tables } from "./tables";

const toTitle = ({ user_id: _user, ...row }: Row<"invoice_titles">): StoredTitle => ({
  ...fieldsOf(row),
  isDefault: row.is_default === 1,
});

const matching = (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  { userId, state, needsReversal, keyword }: InvoiceFilter,
) =>
  db
    .selectFrom("invoices")
    .selectAll()
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .$if(state !== undefined, (query) => query.where(sql<boolean>`state = ${state}`))
    .$if(needsReversal === true, (query) =>
      query.where("needs_reversal", "=", 1).where("state", "=", "issued"),
    )
    .$if(keyword !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          dialect.beginsWith("username", keyword ?? ""),
          dialect.beginsWith("title_name", keyword ?? ""),
          dialect.beginsWith("tax_number", keyword ?? ""),
          dialect.beginsWith("number", keyword ?? ""),
          eb(
            "id",
            "in",
            eb
              .selectFrom("invoice_orders")
              .innerJoin("orders", "orders.id", "invoice_orders.order_id")
              .select("invoice_orders.invoice_id")
              .where("orders.number", "=", keyword ?? ""),
          ),
        ]),
      ),
    );

export const invoiceReads = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): InvoiceQueries => ({
  async titles(userId) {
    const rows = await db
      .selectFrom("invoice_titles")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("is_default", "desc")
      .orderBy("id")
      .execute();
    return rows.map(toTitle);
  },

  async page(filter, offset, limit, sort) {
    const columns = {
      ...storedColumns(INVOICE_SORTS),
      created_time: sql.ref("created_at"),
      username: nameColumn("username"),
      title: nameColumn("title_name"),
    };
    return withOrders(db, await readPage(matching(db, dialect, filter), sort, columns, { offset, limit }));
  },

  async before(filter, id, limit) {
    const found = matching(db, dialect, filter).where("id", "<", id).orderBy("id", "desc").limit(limit);
    return withOrders(db, await found.execute());
  },

  async find(id) {
    const rows = await db.selectFrom("invoices").selectAll().where("id", "=", id).execute();
    return (await withOrders(db, rows))[0];
  },

  async file(id) {
    const row = await db
      .selectFrom("invoice_files")
      .innerJoin("invoices", "invoices.id", "invoice_files.id")
      .select(["invoices.file_type", "invoice_files.content_sealed"])
      .where("invoice_files.id", "=", id)
      .executeTakeFirst();
    if (!row || row.file_type === "") return undefined;
    return { type: row.file_type, content: secrets.open(row.content_sealed) };
  },

  async invoiceable(userId, limit) {
    const rows = await db
      .selectFrom("orders")
      .select(["number", "amount", "refunded", "disputed", "currency", "paid_at"])
      .where("user_id", "=", userId)
      .where("state", "in", ["paid", "partly-refunded"])
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("invoice_orders")
              .select("invoice_orders.id")
              .whereRef("invoice_orders.live_order_id", "=", "orders.id"),
          ),
        ),
      )
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(({ number, amount, refunded, disputed, currency, paid_at }) => ({
      number,
      amount: amount - Math.min(amount, refunded + disputed),
      currency,
      paidAt: paid_at,
    }));
  },

  async issuedFor(orderNumber) {
    const row = await db
      .selectFrom("invoice_orders")
      .innerJoin("orders", "orders.id", "invoice_orders.live_order_id")
      .innerJoin("invoices", "invoices.id", "invoice_orders.invoice_id")
      .select("invoices.id")
      .where("orders.number", "=", orderNumber)
      .where("invoices.state", "=", "issued")
      .executeTakeFirst();
    return row?.id;
  },
});

const titleColumns = (title: InvoiceTitle) => ({
  kind: title.kind,
  name: title.name,
  tax_number: title.taxNumber,
  email: title.email,
  address: title.address,
  phone: title.phone,
  bank: title.bank,
  account: title.account,
});

/** Serializes changes of a user's titles, so that exactly one is the default. */
const lockUser = async (db: Kysely<Tables>, userId: number): Promise<void> => {
  await db
    .updateTable("invoice_titles")
    .set((eb) => ({ kind: eb.ref("kind") }))
    .where("user_id", "=", userId)
    .execute();
};

const clearDefault = async (db: Kysely<Tables>, userId: number): Promise<void> => {
  await db.updateTable("invoice_titles").set({ is_default: 0 }).where("user_id", "=", userId).execute();
};

const addTitle =
  (db: Kysely<Tables>): InvoiceChanges["addTitle"] =>
  (userId, { isDefault, ...title }, max) =>
    db.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId);
      const { count } = await transaction
        .selectFrom("invoice_titles")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= max) return undefined;
      if (isDefault) await clearDefault(transaction, userId);
      const row = await transaction
        .insertInto("invoice_titles")
        .values({
          user_id: userId,
          ...titleColumns(title),
          is_default: Number(isDefault || Number(count) === 0),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toTitle(row);
    });

const changeTitle =
  (db: Kysely<Tables>): InvoiceChanges["changeTitle"] =>
  (userId, id, { isDefault, ...title }) =>
    db.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId);
      const known = await transaction
        .selectFrom("invoice_titles")
        .select("id")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      if (!known) return undefined;
      if (isDefault) await clearDefault(transaction, userId);
      const row = await transaction
        .updateTable("invoice_titles")
        .set({ ...titleColumns(title), ...(isDefault ? { is_default: 1 } : {}) })
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returningAll()
        .executeTakeFirst();
      return row && toTitle(row);
    });

const removeTitle =
  (db: Kysely<Tables>): InvoiceChanges["removeTitle"] =>
  (userId, id) =>
    db.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId);
      const removed = await transaction
        .deleteFrom("invoice_titles")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .returning("is_default")
        .executeTakeFirst();
      if (removed?.is_default === 1)
        await sql`UPDATE invoice_titles SET is_default = 1
          WHERE id = (SELECT min(id) FROM invoice_titles WHERE user_id = ${userId})`.execute(transaction);
      return removed !== undefined;
    });

export const invoiceWrites = (db: Kysely<Tables>, secrets: Secrets): InvoiceChanges => ({
  addTitle: addTitle(db),
  changeTitle: changeTitle(db),
  removeTitle: removeTitle(db),
  apply: apply(db),
  withdraw: withdraw(db),
  issue: issue(db, secrets),
  decline: decide(db, "declined"),
  reverse: decide(db, "reversed"),
});
