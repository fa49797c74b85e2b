import type { Movement } from "@tollgate/contract/records/ledger-entry";
import {
  attributeUse,
  ownOf,
  type PlanMoney,
  type PlanShare,
  returnUse,
} from "@tollgate/contract/values/plan-money";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import type { SqlDialect } from "../../sql/dialect";
import { balanceColumn } from "./balance-column";
import { bookEntry, moveBalance } from "./move-balance";
import type { Row, Tables } from "./tables";

/** An unfinished period, as a share of the balance, with the other columns of its row. */
export interface StoredShare extends PlanShare {
  readonly number: number;
  readonly row: Row<"plan_periods">;
}

/** A user with plans, whose row is locked until the transaction ends. */
export interface PlanUser {
  readonly id: number;
  readonly username: string;
  /** The balance, leased quota included, and its part that is not leased: only that can be taken. */
  readonly balance: number;
  readonly unleased: number;
  readonly granted: number;
  readonly settled: number;
  readonly parked: number;
  readonly money: PlanMoney<StoredShare>;
}

const toShare = (row: Row<"plan_periods">): StoredShare => ({
  id: row.subscription_id,
  number: row.number,
  endsAt: row.ends_at,
  isOver: row.state === "over",
  left: row.unspent,
  spent: row.spent,
  withdrawn: row.withdrawn,
  row,
});

/** Returns the stored parts of a user's balance, without dividing the use since the last look among them. */
export const readPlanUser = async (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  userId: number,
): Promise<PlanUser | undefined> => {
  const user = await db
    .selectFrom("users")
    .select(["id", "username", "quota", "granted_quota", "used_quota"])
    .select(balanceColumn(dialect, "users"))
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!user) return undefined;
  const account = await db
    .selectFrom("plan_accounts")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const rows = await db
    .selectFrom("plan_periods")
    .selectAll()
    .where("user_id", "=", userId)
    .where("state", "!=", "closed")
    .execute();
  return {
    id: user.id,
    username: user.username,
    // Only where nodes lease there is a column of its own for it.
    balance: "balance" in user && user.balance !== undefined ? user.balance : user.quota,
    unleased: user.quota,
    granted: user.granted_quota,
    settled: user.used_quota,
    parked: account?.parked ?? 0,
    money: {
      counted: account?.counted ?? user.used_quota,
      ownSpent: account?.own_spent ?? 0,
      shares: rows.map(toShare),
    },
  };
};

const saveShare = async (
  db: Kysely<Tables>,
  { id, number, left, spent, withdrawn }: StoredShare,
): Promise<void> => {
  await db
    .updateTable("plan_periods")
    .set({ unspent: left, spent, withdrawn })
    .where("subscription_id", "=", id)
    .where("number", "=", number)
    .execute();
};

const saveShares = async (db: Kysely<Tables>, shares: readonly StoredShare[]): Promise<void> => {
  for (const share of shares) {
    const { left, spent, withdrawn, row } = share;
    if (left === row.unspent && spent === row.spent && withdrawn === row.withdrawn) continue;
    await saveShare(db, share);
  }
};

const saveAccount = async (db: Kysely<Tables>, user: PlanUser): Promise<void> => {
  const columns = { counted: user.money.counted, own_spent: user.money.ownSpent, parked: user.parked };
  await db
    .insertInto("plan_accounts")
    .values({ user_id: user.id, ...columns })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(columns))
    .execute();
};

/**
 * Locks a user until the transaction ends, and divides the use since the last look. The row is locked before anything
 * of it is read: charges of other nodes change balance, leases and sums together, behind the same lock.
 * @throws StorageConflict "not-found"
 */
export const lockPlanUser = async (
  transaction: Kysely<Tables>,
  dialect: SqlDialect,
  userId: number,
): Promise<PlanUser> => {
  await transaction
    .updateTable("users")
    .set((eb) => ({ quota: eb.ref("quota") }))
    .where("id", "=", userId)
    .execute();
  const user = await readPlanUser(transaction, dialect, userId);
  if (!user) throw new StorageConflict("not-found");
  const money = attributeUse(user.money, user.settled, user.balance);
  await saveShares(transaction, money.shares);
  const next = { ...user, money };
  await saveAccount(transaction, next);
  return next;
};

/** Returns the part of a user's balance that is the user's own and not put aside. */
export const ownMoney = ({ money, balance }: PlanUser): number => ownOf(money, balance);

/**
 * Moves a balance and the quota put aside, with their entries in the ledger.
 * @param quota added to the balance; less than 0 takes quota, which no node may lease. @param parked added to the quota
 *   put aside.
 * @throws StorageConflict "balance-too-large"
 */
export const movePlanUser = async (
  transaction: Kysely<Tables>,
  user: PlanUser,
  quota: number,
  parked: number,
  movement: Movement,
): Promise<PlanUser> => {
  // Who is here has found it undone behind the lock of the user's row: an entry that stands already is a fault, and all is taken back.
  const fail = (): never => {
    throw new Error(`an entry of the ledger stands already: ${movement.cause} ${movement.reference}`);
  };
  const isMoved =
    quota === 0 ||
    (await moveBalance(transaction, { of: "user", id: user.id }, { difference: quota, movement }));
  if (!isMoved) fail();
  const isParked =
    parked === 0 || (await bookEntry(transaction, { userId: user.id, account: "parked" }, parked, movement));
  if (!isParked) fail();
  const next = {
    ...user,
    balance: user.balance + quota,
    unleased: user.unleased + quota,
    granted: user.granted + quota,
    parked: user.parked + parked,
  };
  if (parked !== 0) await saveAccount(transaction, next);
  return next;
};

/** Quota taken from a user's own money. */
export interface TakenOwn {
  /** All of it. */
  readonly taken: number;
  /** The part that was in the balance; the rest was put aside. */
  readonly ofBalance: number;
  /** Wanted quota that exists and could not be taken yet, because requests under way hold it. */
  readonly held: number;
}

/**
 * Takes a user's own quota, and none that plans include: first the quota put aside, then the unleased part of the
 * balance.
 * @param wanted maximum taken in all. @param most maximum taken from the balance.
 * @returns the taken quota; nothing when there is no such user.
 */
export const takeOwnMoney = async (
  transaction: Kysely<Tables>,
  dialect: SqlDialect,
  userId: number,
  wanted: number,
  most: number,
  movement: Movement,
): Promise<TakenOwn> => {
  const isThere = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!isThere || wanted <= 0) return { taken: 0, ofBalance: 0, held: 0 };
  const user = await lockPlanUser(transaction, dialect, userId);
  const ofParked = Math.min(wanted, user.parked);
  const isOwn = Math.max(0, Math.min(wanted - ofParked, ownMoney(user)));
  const ofBalance = Math.max(0, Math.min(isOwn, most, user.unleased));
  await movePlanUser(transaction, user, 0 - ofBalance, 0 - ofParked, movement);
  return { taken: ofParked + ofBalance, ofBalance, held: isOwn - ofBalance };
};

/**
 * Returns quota of a refunded charge to the plans that may have paid it, within the transaction that adds all of it to
 * the balance: to periods that had begun when it was charged, and go on.
 * @param chargedAt and `now` unix seconds.
 * @returns the quota that belongs to plans again; the rest is the user's own.
 */
export const returnToPlans = async (
  transaction: Kysely<Tables>,
  dialect: SqlDialect,
  userId: number,
  quota: number,
  chargedAt: number,
  now: number,
): Promise<number> => {
  const period = await transaction
    .selectFrom("plan_periods")
    .select("number")
    .where("user_id", "=", userId)
    .where("state", "=", "open")
    .limit(1)
    .executeTakeFirst();
  if (!period) return 0;
  const user = await lockPlanUser(transaction, dialect, userId);
  const { money, returned } = returnUse(
    user.money,
    quota,
    ({ row }) => row.starts_at <= chargedAt && row.ends_at > now,
  );
  // All of them: a share that is again as it was read may have been stored otherwise meanwhile.
  for (const share of money.shares) await saveShare(transaction, share);
  await saveAccount(transaction, { ...user, money });
  return returned;
};

/** How much may be granted to a user until the account holds no more. */
export const roomOf = ({ granted }: PlanUser): number => MAX_QUOTA - granted;
