import type { AccountId } from "@tollgate/contract/records/lease";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../sql/tables";

/** Where balances of a kind stand, and the leases of them. */
interface BalanceColumns {
  readonly table: "users" | "tokens";
  readonly balance: "quota" | "remain_quota";
  readonly leases: "user_leases" | "token_leases";
  /** The account, in the table of leases. */
  readonly owner: "user_id" | "token_id";
}

/** In the order in which rows are locked. */
export const BALANCES = [
  { table: "users", balance: "quota", leases: "user_leases", owner: "user_id" },
  { table: "tokens", balance: "remain_quota", leases: "token_leases", owner: "token_id" },
] as const satisfies readonly BalanceColumns[];

export const [USERS, TOKENS] = BALANCES;

/** The row of an account. */
export interface AccountRow {
  readonly columns: BalanceColumns;
  readonly id: number;
}

export const rowOf = (account: AccountId): AccountRow => {
  const [kind, id] = account.split(":");
  return { columns: kind === "user" ? USERS : TOKENS, id: Number(id) };
};

/** The ids of those accounts whose balances stand in a table. */
export const idsIn = (accounts: Iterable<AccountId>, columns: BalanceColumns): number[] =>
  [...accounts].map(rowOf).flatMap((row) => (row.columns === columns ? [row.id] : []));

export const accountOf = ({ table }: BalanceColumns, id: number): AccountId =>
  table === "users" ? `user:${id}` : `key:${id}`;

/**
 * Locks balances until the transaction ends, those of a table in the order of their ids, so that nodes that lock
 * several never deadlock. A change of a lease locks its account as well, so that both stay as they were read.
 * @returns the balances of those accounts that exist.
 */
export const lockBalances = async (
  transaction: Kysely<Tables>,
  { table, balance }: BalanceColumns,
  ids: readonly number[],
): Promise<Map<number, number>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; balance: number }>`
    SELECT id, ${sql.ref(balance)} AS balance FROM ${sql.table(table)} WHERE id = ANY(${ids}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  return new Map(rows.map((row) => [row.id, row.balance]));
};
