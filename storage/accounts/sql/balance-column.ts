import type { AliasedRawBuilder } from "kysely";
import type { SqlDialect } from "../../sql/dialect";

/**
 * The column `balance` of users or tokens: the visible balance, leased quota included. Empty where the row itself has
 * the whole balance.
 */
export const balanceColumn = (
  { balance }: SqlDialect,
  table: "users" | "tokens",
): AliasedRawBuilder<number, "balance">[] => (balance ? [balance(table).as("balance")] : []);
