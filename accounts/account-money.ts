import type { Account } from "@tollgate/metering/ledger";
import { type BalanceMove, type Balances, MemoryBalances } from "./balances";

/** The balances of users and keys in memory, and all their moves other than charges. */
export interface AccountMoney {
  /**
   * The account of a user or a key in memory, the same for as long as they are known.
   * @param quota the balance as it is stored.
   */
  createAccount(of: "user" | "key", id: number, quota: number, isUnlimited: boolean): Account;
  readonly balances: Balances;
}

/** Whole balances in memory, for a process that is alone with its database. @param onMove called for each move. */
export const createMemoryMoney = (onMove: (move: BalanceMove) => void) => ({
  createAccount: (_of: "user" | "key", id: number, quota: number, isUnlimited: boolean): Account => ({
    id,
    quota,
    held: 0,
    isUnlimited,
  }),
  balances: new MemoryBalances(onMove),
});
