import { formatMinor } from "@tollgate/contract/payments/currencies";
import type { OrderMoney } from "@tollgate/contract/payments/order-machine";
import type { OrderRecord, PaymentFaultRecord, RefundRecord } from "@tollgate/contract/records/order-record";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Kysely, Updateable } from "kysely";
import { fieldsOf } from "../../sql/row-names";
import { insertAccountLines } from "./account-lines";
import type { Row, Tables } from "./tables";

export const toOrder = ({
  pay_kind: kind,
  pay_content: content,
  plan_id: planId,
  plan_terms: terms,
  asked_at,
  ...row
}: Row<"orders">): OrderRecord => ({
  ...fieldsOf(row),
  unitPrice: row.unit_price || undefined,
  quotaPerUnit: row.quota_per_unit || undefined,
  pay: kind === "" ? undefined : { kind, content },
  words: JSON.parse(row.words),
  promotions: row.promotions === "" ? [] : JSON.parse(row.promotions),
  isLate: row.is_late === 1,
  plan: terms === "" ? undefined : { id: planId, terms: JSON.parse(terms) },
});

export const toRefund = ({ failure, ...row }: Row<"order_refunds">): RefundRecord => fieldsOf(row);

export const toFault = (row: Row<"payment_faults">): PaymentFaultRecord => ({
  ...fieldsOf(row),
  words: JSON.parse(row.words),
});

/** An order that no other transaction changes until this one ends: on an engine with several connections a write holds it. */
export const lockOrder = async (
  db: Kysely<Tables>,
  by: { number: string } | { id: number },
): Promise<OrderRecord | undefined> => {
  const row = await db
    .updateTable("orders")
    .set((eb) => ({ state: eb.ref("state") }))
    .$if("number" in by, (query) => query.where("number", "=", "number" in by ? by.number : ""))
    .$if("id" in by, (query) => query.where("id", "=", "id" in by ? by.id : 0))
    .returningAll()
    .executeTakeFirst();
  return row && toOrder(row);
};

/** Stores the changes of a step. */
export const storeOrder = async (
  db: Kysely<Tables>,
  id: number,
  next: OrderMoney,
  more: Updateable<Tables["orders"]> = {},
): Promise<OrderRecord> =>
  toOrder(
    await db
      .updateTable("orders")
      .set({
        state: next.state,
        payment: next.payment,
        refunded: next.refunded,
        disputed: next.disputed,
        taken: next.taken,
        is_late: next.isLate ? 1 : 0,
        ...more,
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

export const addOrderLine = (
  db: Kysely<Tables>,
  { userId, username }: Pick<OrderRecord, "userId" | "username">,
  type: number,
  phrase: LogPhrase,
  at: number,
): Promise<void> => insertAccountLines(db, [{ createdAt: at, userId, username, type, phrase }]);

export const moneyOf = (amount: number, currency: string): string =>
  `${formatMinor(amount, currency)} ${currency}`;
