import {
  type CommissionRule,
  type CommissionSource,
  commissionOf,
  sourcesOf,
} from "@tollgate/contract/records/commission-record";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { type Kysely, sql } from "kysely";
import { StorageConflict } from "../../errors";
import type { CommissionChanges } from "../money-ports";
import { checkFavour, mayAllFavour } from "./check-favour";
import { toPayout } from "./commission-reads";
import { bookEntry, moveBalance } from "./move-balance";
import type { Tables } from "./tables";

/** A payment that an inviter may have a part of. */
export interface PaidOrder {
  /** The order; for a redeemed code, the id of its entry in the ledger, negated. */
  readonly id: number;
  readonly source: CommissionSource;
  readonly userId: number;
  /** The paid quota, without a bonus. */
  readonly quota: number;
}

type Kind = "commission" | "payout";

/**
 * Adds to a commission account, or takes from it, with the entry in the ledger.
 * @returns false where it was booked before. @throws StorageConflict "commission-short" where less is there.
 */
const moveCommission = async (
  db: Kysely<Tables>,
  userId: number,
  account: Kind,
  amount: number,
  movement: Movement,
): Promise<boolean> => {
  if (!(await bookEntry(db, { userId, account }, amount, movement))) return false;
  await db
    .insertInto("commission_accounts")
    .values({ user_id: userId, commission: 0, payout: 0 })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable("commission_accounts")
    .set((eb) => ({ [account]: eb(account, "+", amount) }))
    .where("user_id", "=", userId)
    .where(account, ">=", Math.max(0, -amount))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new StorageConflict("commission-short");
  return true;
};

/** Locks a commission account until the transaction ends and returns its balance. */
const lockCommission = async (db: Kysely<Tables>, userId: number): Promise<number> => {
  const row = await db
    .updateTable("commission_accounts")
    .set((eb) => ({ commission: eb.ref("commission") }))
    .where("user_id", "=", userId)
    .returning("commission")
    .executeTakeFirst();
  return row?.commission ?? 0;
};

/** Returns commissions of an inviter that refunds still claim back, oldest first. */
const missingOf = (db: Kysely<Tables>, inviterId: number) =>
  db
    .selectFrom("commissions")
    .select(["id", "missing"])
    .where("inviter_id", "=", inviterId)
    .where("missing", ">", 0)
    .orderBy("id")
    .execute();

/**
 * Takes, from quota that has just come to a commission account, the part that refunds claimed back and did not find
 * there. Otherwise a user could pay, have the payment refunded and pay again, and the inviter would earn each time.
 * @param source of the quota, once: part of the entries' references.
 */
const takeMissing = async (
  db: Kysely<Tables>,
  inviterId: number,
  source: string,
  at: number,
): Promise<void> => {
  let there = await lockCommission(db, inviterId);
  for (const { id, missing } of await missingOf(db, inviterId)) {
    const taken = Math.min(missing, there);
    if (taken === 0) return;
    const movement = {
      cause: "commission-taken-back",
      reference: `${source}/${id}`,
      actorId: 0,
      at,
    } as const;
    if (!(await moveCommission(db, inviterId, "commission", -taken, movement))) continue;
    there -= taken;
    await db
      .updateTable("commissions")
      .set((eb) => ({ taken_back: eb("taken_back", "+", taken), missing: eb("missing", "-", taken) }))
      .where("id", "=", id)
      .execute();
  }
};

/** The inviter of a user; 0 without one. */
const inviterOf = async (db: Kysely<Tables>, userId: number): Promise<number> => {
  const user = await db.selectFrom("users").select("inviter_id").where("id", "=", userId).executeTakeFirst();
  return user?.inviter_id ?? 0;
};

/**
 * The part of an order's bonus that counts for a commission, where bonuses do: without that of promotions whose maker
 * may not favour the inviter (docs/money.md#money-between-people).
 */
export const commissionBonus = async (
  db: Kysely<Tables>,
  { userId, bonus, promotions }: Pick<OrderRecord, "userId" | "bonus" | "promotions">,
): Promise<number> => {
  const given = promotions.filter(({ effect }) => effect === "bonus");
  if (given.length === 0) return bonus;
  const inviterId = await inviterOf(db, userId);
  const makers = await db
    .selectFrom("promotions")
    .select(["id", "maker_id"])
    .where(
      "id",
      "in",
      given.map(({ id }) => id),
    )
    .execute();
  const makerOf = new Map(makers.map(({ id, maker_id: maker }) => [id, maker]));
  let counted = bonus;
  for (const { id, quota } of given)
    if (!(await mayAllFavour(db, [makerOf.get(id) ?? 0], inviterId))) counted -= quota;
  return counted;
};

/** Whether the user has paid before, in a way that earns a commission. */
const hasEarlierPayment = async (
  db: Kysely<Tables>,
  { id, userId }: PaidOrder,
  rule: CommissionRule,
): Promise<boolean> => {
  const sources = sourcesOf(rule);
  const orders = await db
    .selectFrom("ledger_entries")
    .leftJoin("orders", (join) =>
      join
        .on(sql<boolean>`ledger_entries.reference = CAST(orders.id AS TEXT)`)
        .on("orders.user_id", "=", userId),
    )
    .select("ledger_entries.id")
    .where("ledger_entries.user_id", "=", userId)
    .where("ledger_entries.cause", "=", "payment")
    .where("ledger_entries.reference", "!=", String(id))
    .$if(!sources.includes("plan"), (query) => query.where(sql<boolean>`coalesce(orders.plan_id, 0) = 0`))
    .$if(!sources.includes("top-up"), (query) => query.where("orders.plan_id", ">", 0))
    .limit(1)
    .executeTakeFirst();
  if (orders || !sources.includes("code")) return orders !== undefined;
  const code = await db
    .selectFrom("ledger_entries")
    .select("id")
    .where("user_id", "=", userId)
    .where("cause", "=", "redeemed")
    .where("id", "!=", -id)
    .limit(1)
    .executeTakeFirst();
  return code !== undefined;
};

/**
 * Books the commission of a redeemed code, within its transaction. Where its maker may not favour the inviter
 * (docs/money.md#money-between-people) the code earns nothing, and is still redeemed.
 * @param reference of the code's entry in the ledger.
 */
export const bookCodeCommission = async (
  db: Kysely<Tables>,
  {
    userId,
    makerId,
    quota,
    reference,
  }: { userId: number; makerId: number; quota: number; reference: string },
  rule: CommissionRule | undefined,
  at: number,
): Promise<void> => {
  if (!rule || !sourcesOf(rule).includes("code")) return;
  const entry = await db
    .selectFrom("ledger_entries")
    .select("id")
    .where("cause", "=", "redeemed")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  if (!(await mayAllFavour(db, [makerId], await inviterOf(db, userId)))) return;
  await bookCommission(db, { id: -entry.id, source: "code", userId, quota }, rule, at);
};

/**
 * Books the commission of a payment for the payer's inviter, within the transaction of the payment; once for an order.
 * @param rule undefined where payments bring nothing. @param actorId the administrator who completed the payment by
 *   hand, if any.
 * @returns the commission's quota.
 */
export const bookCommission = async (
  db: Kysely<Tables>,
  paid: PaidOrder,
  rule: CommissionRule | undefined,
  at: number,
  actorId = 0,
): Promise<number> => {
  const { id, source, userId, quota } = paid;
  if (!rule || !sourcesOf(rule).includes(source) || quota <= 0) return 0;
  const amount = commissionOf(quota, rule);
  if (amount === 0) return 0;
  const inviterId = await inviterOf(db, userId);
  if (inviterId === 0 || inviterId === userId) return 0;
  const inviter = await db
    .selectFrom("users")
    .select("id")
    .where("id", "=", inviterId)
    .where("status", "=", USER_ENABLED)
    .executeTakeFirst();
  if (!inviter) return 0;
  if (!rule.isOfEach && (await hasEarlierPayment(db, paid, rule))) return 0;
  const movement = { cause: "commission", reference: String(id), actorId, at } as const;
  if (!(await moveCommission(db, inviter.id, "commission", amount, movement))) return 0;
  await db
    .insertInto("commissions")
    .values({
      inviter_id: inviter.id,
      user_id: userId,
      order_id: id,
      base: quota,
      basis_points: rule.basisPoints,
      amount,
      ...{ taken_back: 0, missing: 0 },
      created_at: at,
    })
    .execute();
  await takeMissing(db, inviter.id, id < 0 ? `code-${-id}` : `order-${id}`, at);
  return amount;
};

/** Money of an order that went back. */
export interface ReturnedMoney {
  readonly orderId: number;
  /** Total money that went back so far, and the paid money, in the same unit. */
  readonly returned: number;
  readonly paid: number;
  readonly refundId: number;
}

/**
 * Takes back the part of a commission whose payment went back, as far as the inviter has it, within the transaction of
 * the refund. The rest stays in the commission as `missing`, until more comes.
 * @param actorId the administrator who refunds by hand, if any.
 */
export const takeCommissionBack = async (
  db: Kysely<Tables>,
  { orderId, returned, paid, refundId }: ReturnedMoney,
  at: number,
  actorId = 0,
): Promise<void> => {
  const commission = await db
    .selectFrom("commissions")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  if (!commission || paid <= 0) return;
  // An inviter who has spent the commission gains by the refund: the missing quota may never be earned again.
  if (actorId !== 0) await checkFavour(db, [actorId], commission.inviter_id);
  const due = Number((BigInt(commission.amount) * BigInt(Math.min(returned, paid))) / BigInt(paid));
  const wanted = due - commission.taken_back - commission.missing;
  if (wanted <= 0) return;
  const taken = Math.min(wanted, await lockCommission(db, commission.inviter_id));
  const movement = {
    cause: "commission-taken-back",
    reference: String(refundId),
    actorId: 0,
    at,
  } as const;
  if (taken > 0 && !(await moveCommission(db, commission.inviter_id, "commission", -taken, movement))) return;
  await db
    .updateTable("commissions")
    .set((eb) => ({
      taken_back: eb("taken_back", "+", taken),
      missing: eb("missing", "+", wanted - taken),
    }))
    .where("id", "=", commission.id)
    .execute();
};

/**
 * Returns the quota taken of a commission for a refund that was not made, except the part that other refunds claim, of
 * this commission and of others.
 * @param actorId the administrator who settled the refund by hand, if any.
 */
export const giveCommissionBack = async (
  db: Kysely<Tables>,
  { orderId, returned, paid, refundId }: ReturnedMoney,
  at: number,
  actorId: number,
): Promise<void> => {
  const found = () =>
    db.selectFrom("commissions").selectAll().where("order_id", "=", orderId).executeTakeFirst();
  const known = await found();
  if (!known || paid <= 0) return;
  await lockCommission(db, known.inviter_id);
  // Reads it again: missing quota may have been taken before the lock was free.
  const commission = (await found()) ?? known;
  const due = Number((BigInt(commission.amount) * BigInt(Math.min(returned, paid))) / BigInt(paid));
  const given = Math.max(0, commission.taken_back - due);
  const movement = {
    cause: "commission-taken-back",
    reference: `${refundId}/undone`,
    actorId,
    at,
  } as const;
  if (given > 0 && !(await moveCommission(db, commission.inviter_id, "commission", given, movement))) return;
  const takenBack = commission.taken_back - given;
  await db
    .updateTable("commissions")
    .set({ taken_back: takenBack, missing: Math.max(0, due - takenBack) })
    .where("id", "=", commission.id)
    .execute();
  if (given > 0) await takeMissing(db, commission.inviter_id, `undone-${refundId}`, at);
};

export const commissionWrites = (db: Kysely<Tables>): CommissionChanges => ({
  transfer: (userId, quota, at) =>
    db.transaction().execute(async (transaction) => {
      const movement = { cause: "commission-transfer", actorId: userId, at } as const;
      await moveCommission(transaction, userId, "commission", -quota, movement);
      await moveBalance(transaction, { of: "user", id: userId }, { difference: quota, movement });
      return quota;
    }),

  ask: (userId, quota, note, at) =>
    db.transaction().execute(async (transaction) => {
      const { id } = await transaction
        .insertInto("payouts")
        .values({ user_id: userId, amount: quota, state: "asked", note, created_at: at })
        .returning("id")
        .executeTakeFirstOrThrow();
      const movement = {
        cause: "payout-requested",
        reference: String(id),
        actorId: userId,
        at,
      } as const;
      await moveCommission(transaction, userId, "commission", -quota, movement);
      await moveCommission(transaction, userId, "payout", quota, movement);
      return id;
    }),

  decide: (id, state, by) =>
    db.transaction().execute(async (transaction) => {
      // Of two who decide at once one finds it decided.
      const row = await transaction
        .updateTable("payouts")
        .set({ state, decided_at: by.at, actor_id: by.actorId, reason: by.reason })
        .where("id", "=", id)
        .where("state", "=", "asked")
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const cause = state === "paid" ? "paid-out" : "payout-declined";
      const movement = { cause, reference: String(id), ...by } as const;
      await moveCommission(transaction, row.user_id, "payout", -row.amount, movement);
      if (state === "declined") {
        await moveCommission(transaction, row.user_id, "commission", row.amount, movement);
        await takeMissing(transaction, row.user_id, `payout-${id}`, by.at);
      }
      return toPayout(row, "", "");
    }),
});
