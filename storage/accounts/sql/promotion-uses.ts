import type { AppliedPromotion } from "@tollgate/contract/payments/promotions";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import { checkFavour } from "./check-favour";
import { isReturningUser } from "./former-identities";
import type { Row, Tables } from "./tables";

/*
 * Uses of promotions, counted under the lock of the promotion's row, in the transaction of the order or the
 * registration. A user's row is locked before those of promotions, and promotions in the order of their ids.
 */

/** A user who uses a promotion now. */
interface PromotionUser {
  userId: number;
  /** 0 for a registration. */
  orderId: number;
  at: number;
}

/** Locks a user, so that two orders of one user see each other's uses. */
export const lockBuyer = async (db: Kysely<Tables>, userId: number): Promise<void> => {
  await db
    .updateTable("users")
    .set((eb) => ({ quota: eb.ref("quota") }))
    .where("id", "=", userId)
    .execute();
};

/**
 * Whether a user has paid another order, or has one open that uses a promotion for first purchases. A person who had an
 * account before may have paid with that one.
 */
export const hasOtherPurchase = async (
  db: Kysely<Tables>,
  userId: number,
  orderId: number,
): Promise<boolean> => {
  if (await isReturningUser(db, userId)) return true;
  const paid = await db
    .selectFrom("orders")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", "<>", orderId)
    .where("paid_at", ">", 0)
    .limit(1)
    .executeTakeFirst();
  if (paid) return true;
  const first = await db
    .selectFrom("promotion_uses")
    .innerJoin("promotions", "promotions.id", "promotion_uses.promotion_id")
    .select("promotion_uses.id")
    .where("promotion_uses.user_id", "=", userId)
    .where("promotion_uses.order_id", "<>", orderId)
    .where("promotion_uses.state", "<>", "returned")
    .where("promotions.is_first_only", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return first !== undefined;
};

/** A promotion and its effect on an order, in quota. */
type PromotionShare = Pick<AppliedPromotion, "id" | "quota">;

/**
 * Locks a promotion if a user can use it, within all its bounds.
 * @param isLate for an order that had reserved it: its time and its switch do not count.
 * @returns the promotion's row; undefined where it cannot be used.
 */
export const lockUsable = async (
  db: Kysely<Tables>,
  { id, quota }: PromotionShare,
  { userId, orderId, at }: PromotionUser,
  isLate: boolean,
): Promise<Row<"promotions"> | undefined> => {
  const row = await db
    .updateTable("promotions")
    .set((eb) => ({ used_count: eb.ref("used_count") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const isOver = row.is_enabled === 0 || row.starts_at > at || (row.ends_at > 0 && row.ends_at <= at);
  if (isOver && !isLate) return undefined;
  if (row.max_uses > 0 && row.used_count >= row.max_uses) return undefined;
  if (row.max_total > 0 && row.used_total + quota > row.max_total) return undefined;
  const { uses } = await db
    .selectFrom("promotion_uses")
    .select((eb) => eb.fn.countAll<number>().as("uses"))
    .where("promotion_id", "=", id)
    .where("user_id", "=", userId)
    .where("state", "<>", "returned")
    .executeTakeFirstOrThrow();
  if (row.max_uses_per_user > 0 && uses >= row.max_uses_per_user) return undefined;
  if (row.is_first_only === 1 && (await hasOtherPurchase(db, userId, orderId))) return undefined;
  return row;
};

/** Counts a use of a locked promotion, or returns one. */
export const countUse = async (
  db: Kysely<Tables>,
  { id, quota }: PromotionShare,
  difference: 1 | -1,
): Promise<void> => {
  await db
    .updateTable("promotions")
    .set((eb) => ({
      used_count: eb("used_count", "+", difference),
      used_total: eb("used_total", "+", difference * quota),
    }))
    .where("id", "=", id)
    .execute();
};

const inOrder = (promotions: readonly AppliedPromotion[]): AppliedPromotion[] =>
  [...promotions].sort((one, other) => one.id - other.id);

/**
 * Reserves the promotions of a new order. The buyer is locked.
 * @throws StorageConflict "promotion-over" where one cannot be used any more, "favour-refused" where its maker may not
 *   favour the buyer, or the buyer, who can read all codes as an administrator, may not favour themself.
 */
export const reservePromotions = async (
  db: Kysely<Tables>,
  { id: orderId, userId, createdAt: at, promotions }: OrderRecord,
): Promise<void> => {
  for (const { id, quota, code } of inOrder(promotions)) {
    const row = await lockUsable(db, { id, quota }, { userId, orderId, at }, false);
    if (!row) throw new StorageConflict("promotion-over");
    await checkFavour(db, code === "" ? [row.maker_id] : [row.maker_id, userId], userId);
    await countUse(db, { id, quota }, 1);
    await db
      .insertInto("promotion_uses")
      .values({
        promotion_id: id,
        user_id: userId,
        order_id: orderId,
        quota,
        state: "reserved",
        created_time: at,
      })
      .execute();
  }
};

/**
 * Ends the uses of an order: its payment uses what it reserved, and any other end returns it. A plan that cannot begin
 * returns what its payment has used.
 */
export const endUses = async (
  db: Kysely<Tables>,
  { id, promotions }: Pick<OrderRecord, "id" | "promotions">,
  before: "reserved" | "used",
  state: "used" | "returned",
): Promise<void> => {
  if (promotions.length === 0) return;
  const ended = await db
    .updateTable("promotion_uses")
    .set({ state })
    .where("order_id", "=", id)
    .where("state", "=", before)
    .returning(["promotion_id", "quota"])
    .execute();
  if (state === "used") return;
  for (const use of ended.sort((one, other) => one.promotion_id - other.promotion_id))
    await countUse(db, { id: use.promotion_id, quota: use.quota }, -1);
};

/**
 * Uses the promotions of an order whose money arrives after its end, all or none: their reservations were returned,
 * and other orders may have used them up.
 * @returns whether they are used.
 */
export const usePromotionsLate = async (
  db: Kysely<Tables>,
  { id: orderId, userId, promotions }: OrderRecord,
  at: number,
): Promise<boolean> => {
  if (promotions.length === 0) return true;
  await lockBuyer(db, userId);
  for (const share of inOrder(promotions))
    if (!(await lockUsable(db, share, { userId, orderId, at }, true))) return false;
  for (const share of promotions) await countUse(db, share, 1);
  await db
    .updateTable("promotion_uses")
    .set({ state: "used" })
    .where("order_id", "=", orderId)
    .where("state", "=", "returned")
    .execute();
  return true;
};
