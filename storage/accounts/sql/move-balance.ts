import {
  DECIDED_BY,
  type LedgerAccount,
  type Movement,
  type QuotaMove,
} from "@tollgate/contract/records/ledger-entry";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { type Kysely, sql } from "kysely";
import { StorageConflict } from "../../errors";
import { checkFavour } from "./check-favour";
import type { Tables } from "./tables";

/** Whose balance is moved: a user's, or an API key's own limit. */
export type Moved =
  | { readonly of: "user"; readonly id: number }
  | { readonly of: "key"; readonly id: number; readonly userId: number };

const COLUMNS = {
  user: { table: "users", balance: "quota" },
  key: { table: "tokens", balance: "remain_quota" },
} as const;

/** An account of the ledger. */
interface Entered {
  readonly userId: number;
  readonly account: LedgerAccount;
  /** Of an API key. */
  readonly keyId?: number;
}

/** Whether a person other than the owner decides a movement, so that the rule for money between people applies. */
const isDecidedByPerson = ({ cause, actorId }: Movement, userId: number): boolean => {
  const by = DECIDED_BY[cause];
  if (by === "person") return true;
  return actorId !== 0 && (by !== "owner" || actorId !== userId);
};

/**
 * Writes an entry into the ledger, within the caller's transaction.
 * @throws StorageConflict "favour-refused" where the actor may not decide about the account's user.
 * @returns false where an entry of this cause and reference stands on an account of this kind already: then nothing was written, and
 * nothing may be moved.
 */
export const bookEntry = async (
  db: Kysely<Tables>,
  { userId, account, keyId = 0 }: Entered,
  amount: number,
  movement: Movement,
): Promise<boolean> => {
  if (isDecidedByPerson(movement, userId)) await checkFavour(db, [movement.actorId], userId);
  const { cause, reference, actorId, at, reason = "" } = movement;
  const entry = await db
    .insertInto("ledger_entries")
    .values({
      user_id: userId,
      account,
      key_id: keyId,
      amount,
      cause,
      reference: reference ?? null,
      actor_id: actorId,
      created_at: at,
      reason,
    })
    .onConflict((conflict) => conflict.columns(["cause", "reference", "account"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return entry !== undefined;
};

/** Whether a movement is an operation that is done once, also where it moves nothing: usage since then is not refunded. */
const isOperation = ({ cause, reference = "" }: Movement): boolean =>
  cause === "quota-changed" && reference !== "";

/** Whether an operation was done before, moved something or not. The account is locked. */
const isDone = async (db: Kysely<Tables>, { cause, reference = "" }: Movement): Promise<boolean> => {
  const done = await db
    .selectFrom("done_operations")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  const entry = await db
    .selectFrom("ledger_entries")
    .select("id")
    .where("cause", "=", cause)
    .where("reference", "=", reference)
    .where("account", "=", "balance")
    .executeTakeFirst();
  return done !== undefined || entry !== undefined;
};

/**
 * Moves a balance with its entry in the ledger, within the caller's transaction: nothing else changes the granted
 * quota. An entry of the same cause and reference is booked once, on whatever node and however often it is requested.
 * An administrator's operation that moves nothing is noted, and done once as well.
 * @returns false when it was booked before or there was nothing to move: then nothing changes.
 * @throws StorageConflict "not-found" for no such account, "balance-too-large"; the engine's own error when it would
 *   fall below 0.
 */
export const moveBalance = async (
  db: Kysely<Tables>,
  moved: Moved,
  { difference, movement }: QuotaMove,
): Promise<boolean> => {
  if (difference === 0 && !isOperation(movement)) return false;
  const { table, balance } = COLUMNS[moved.of];
  const entered: Entered =
    moved.of === "user"
      ? { userId: moved.id, account: "balance" }
      : { userId: moved.userId, account: "key", keyId: moved.id };
  // First of all, so that others who move the same account wait here and see each other's entries.
  const { rows } = await sql<{ granted: number }>`UPDATE ${sql.table(table)}
    SET ${sql.ref(balance)} = ${sql.ref(balance)} WHERE id = ${moved.id}
    ${moved.of === "key" ? sql`AND user_id = ${moved.userId}` : sql``}
    RETURNING granted_quota AS granted`.execute(db);
  const [row] = rows;
  if (!row) throw new StorageConflict("not-found");
  if (row.granted > MAX_QUOTA - Math.max(0, difference)) throw new StorageConflict("balance-too-large");
  if (isOperation(movement) && (await isDone(db, movement))) return false;
  if (difference === 0) {
    const { reference = "", at } = movement;
    await db.insertInto("done_operations").values({ reference, created_at: at }).execute();
    return true;
  }
  if (!(await bookEntry(db, entered, difference, movement))) return false;
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(balance)} = ${sql.ref(balance)} + ${difference},
    granted_quota = granted_quota + ${difference} WHERE id = ${moved.id}`.execute(db);
  return true;
};

/**
 * Moves a balance (`moveBalance`), where a repeated movement must undo the caller's transaction.
 * @throws StorageConflict "booked-before" as well.
 */
export const moveOnce = async (db: Kysely<Tables>, moved: Moved, move: QuotaMove): Promise<void> => {
  if (!(await moveBalance(db, moved, move)) && (move.difference !== 0 || isOperation(move.movement)))
    throw new StorageConflict("booked-before");
};

/**
 * Adds to a user's balance as much as fits into one (`moveBalance`).
 * @returns how much that was; 0 where it was booked before, or there is no such user.
 */
export const giveWhatFits = async (
  db: Kysely<Tables>,
  userId: number,
  most: number,
  movement: Movement,
): Promise<number> => {
  if (most <= 0) return 0;
  const row = await lockUser(db, userId);
  if (!row) return 0;
  const difference = Math.min(most, MAX_QUOTA - row.granted_quota);
  return (await moveBalance(db, { of: "user", id: userId }, { difference, movement })) ? difference : 0;
};

/**
 * Takes from a user's balance the part that exists and no node leases (`moveBalance`), limited to `most`.
 * @param most maximum taken.
 * @returns the taken quota; 0 when it was booked before, or there is no such user.
 */
export const takeWhatIsThere = async (
  db: Kysely<Tables>,
  userId: number,
  most: number,
  movement: Movement,
): Promise<number> => {
  if (most <= 0 && !isOperation(movement)) return 0;
  const row = await lockUser(db, userId);
  if (!row) return 0;
  const taken = Math.max(0, Math.min(most, row.quota));
  return (await moveBalance(db, { of: "user", id: userId }, { difference: -taken, movement })) ? taken : 0;
};

/**
 * Returns a user's balance and granted quota, locked until the transaction ends: on an engine with several connections
 * a write locks.
 */
const lockUser = (
  db: Kysely<Tables>,
  id: number,
): Promise<{ quota: number; granted_quota: number } | undefined> =>
  db
    .updateTable("users")
    .set((eb) => ({ quota: eb.ref("quota") }))
    .where("id", "=", id)
    .returning(["quota", "granted_quota"])
    .executeTakeFirst();
