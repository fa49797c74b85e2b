import type { AccountId, LeaseRecall, LeaseWish } from "@tollgate/contract/records/lease";
import { type Kysely, sql } from "kysely";
import type { Leases } from "../node-ports";
import { insertAccountLines } from "../sql/account-lines";
import { type Moved, moveOnce } from "../sql/move-balance";
import type { Tables } from "../sql/tables";
import { type AccountRow, lockBalances, rowOf } from "./balances";
import { isLive } from "./nodes.repository";

/** Tells all nodes of a recall, with the transaction: they hear of it when, and if, that is committed. */
export type Announce = (transaction: Kysely<Tables>, recall: LeaseRecall) => Promise<void>;

/** A lease, and the facts that decide on a change of it. */
interface LeaseState {
  readonly quota: number;
  /** Of the newest change. */
  readonly number: number;
  /** Quota granted by the newest change. */
  readonly granted: number;
  /** Quota that others lease of the account. */
  readonly elsewhere: number;
  /** How many nodes have a row. */
  readonly nodes: number;
}

/** Locks an account. @returns its balance; undefined for an unknown id. */
const lockBalance = async (
  transaction: Kysely<Tables>,
  { columns, id }: AccountRow,
): Promise<number | undefined> => (await lockBalances(transaction, columns, [id])).get(id);

/** @param epoch 0 for no node's: all leases are elsewhere then. */
const readLease = async (
  transaction: Kysely<Tables>,
  { columns, id }: AccountRow,
  epoch: number,
): Promise<LeaseState> => {
  const own = sql`FILTER (WHERE epoch = ${epoch})`;
  const { rows } = await sql<LeaseState>`
    SELECT coalesce(max(quota) ${own}, 0) AS quota, coalesce(max(number) ${own}, 0) AS number,
      coalesce(max(granted) ${own}, 0) AS granted,
      coalesce(sum(quota) FILTER (WHERE epoch <> ${epoch}), 0) AS elsewhere,
      (SELECT count(*) FROM nodes) AS nodes
    FROM ${sql.table(columns.leases)} WHERE ${sql.ref(columns.owner)} = ${id}`.execute(transaction);
  const [state] = rows;
  if (!state) throw new Error("sums have no row");
  return state;
};

/** Moves quota from an account that is locked into a lease of it; less than 0 the other way. */
const moveToLease = async (
  transaction: Kysely<Tables>,
  { columns, id }: AccountRow,
  epoch: number,
  quota: number,
  next: Pick<LeaseState, "quota" | "number" | "granted">,
): Promise<void> => {
  const balance = sql.ref(columns.balance);
  await sql`
    WITH lease AS (
      INSERT INTO ${sql.table(columns.leases)} (${sql.ref(columns.owner)}, epoch, quota, number, granted)
      VALUES (${id}, ${epoch}, ${next.quota}, ${next.number}, ${next.granted})
      ON CONFLICT (${sql.ref(columns.owner)}, epoch)
        DO UPDATE SET quota = excluded.quota, number = excluded.number, granted = excluded.granted)
    UPDATE ${sql.table(columns.table)} SET ${balance} = ${balance} - ${quota} WHERE id = ${id}`.execute(
    transaction,
  );
};

/** Returns the granted quota of a wish: all that its holds need, and ahead of need a small part of the rest. */
const amountFor = (wish: LeaseWish, there: number, { elsewhere, nodes }: LeaseState): number => {
  const enough = wish.isLast || elsewhere === 0 ? wish.least : wish.most;
  if (there < enough) return 0;
  const share = Math.floor(there / (2 * nodes));
  return Math.min(there, Math.max(wish.total, Math.min(wish.ahead, share)));
};

/** Whose balance a row is, as the ledger names it. */
const movedOf = async (transaction: Kysely<Tables>, { columns, id }: AccountRow): Promise<Moved> => {
  if (columns.table === "users") return { of: "user", id };
  const key = await transaction
    .selectFrom("tokens")
    .select("user_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { of: "key", id, userId: key.user_id };
};

/** Leases of nodes, and edits of balances. Rows are locked in this order: the node, accounts, leases. */
export const leaseWrites = (db: Kysely<Tables>, announce: Announce) => {
  const inTransaction = <T>(
    account: AccountId,
    step: (transaction: Kysely<Tables>, row: AccountRow) => Promise<T>,
  ): Promise<T> => db.transaction().execute((transaction) => step(transaction, rowOf(account)));

  return {
    acquire: (wish) =>
      inTransaction(wish.account, async (transaction, row) => {
        if (!(await isLive(transaction, wish.epoch))) return "epoch-over" as const;
        const balance = await lockBalance(transaction, row);
        if (balance === undefined) return { granted: 0, left: 0, elsewhere: 0 };
        const lease = await readLease(transaction, row, wish.epoch);
        const { elsewhere } = lease;
        if (wish.number <= lease.number) return { granted: lease.granted, left: balance, elsewhere };
        const granted = amountFor(wish, balance, lease);
        const next = { quota: lease.quota + granted, number: wish.number, granted };
        await moveToLease(transaction, row, wish.epoch, granted, next);
        if (granted < wish.most && elsewhere > 0)
          await announce(transaction, { account: wish.account, epoch: wish.epoch });
        return { granted, left: balance - granted, elsewhere };
      }),

    giveBack: ({ epoch, account, number, quota }) =>
      inTransaction(account, async (transaction, row) => {
        if (!(await isLive(transaction, epoch))) return "epoch-over" as const;
        if ((await lockBalance(transaction, row)) === undefined) return undefined;
        const lease = await readLease(transaction, row, epoch);
        if (number <= lease.number) return undefined;
        const next = { quota: lease.quota - quota, number, granted: 0 };
        await moveToLease(transaction, row, epoch, -quota, next);
        return undefined;
      }),

    edit: ({ id, account, wanted, isLast }, linesOf, movement) =>
      inTransaction(account, async (transaction, row) => {
        const unleased = await lockBalance(transaction, row);
        if (unleased === undefined) return { moved: 0, balance: 0 };
        const balance = unleased + (await readLease(transaction, row, 0)).elsewhere;
        const done = await sql<{ moved: number }>`SELECT moved FROM balance_edits WHERE id = ${id}`.execute(
          transaction,
        );
        if (done.rows[0]) return { moved: done.rows[0].moved, balance };
        const difference = wanted - balance;
        const isShort = unleased + difference < 0;
        if (isShort && !isLast) {
          await announce(transaction, { account, epoch: undefined });
          return { moved: undefined, balance };
        }
        const moved = isShort ? 0 - unleased : difference;
        await moveOnce(transaction, await movedOf(transaction, row), { difference: moved, movement });
        await sql`INSERT INTO balance_edits (id, moved) VALUES (${id}, ${moved})`.execute(transaction);
        if (moved !== 0) await insertAccountLines(transaction, linesOf(balance, balance + moved));
        return { moved, balance: balance + moved };
      }),

    recall: (account) =>
      inTransaction(account, async (transaction, row) => {
        const { elsewhere } = await readLease(transaction, row, 0);
        if (elsewhere > 0) await announce(transaction, { account, epoch: undefined });
        return elsewhere;
      }),
  } satisfies Pick<Leases, "acquire" | "giveBack" | "edit" | "recall">;
};
