import { type AccountMoney, createMemoryMoney } from "./account-money";
import { ApiKeys } from "./api-keys";
import type { Balances } from "./balances";
import { ChangeFeed } from "./change-feed";
import type { AccountStore, AccountTools, StoredAccounts } from "./ports";
import { Sessions } from "./sessions";
import { Users } from "./users";

/**
 * Who may do and spend what, in memory: what every request needs is here, and no request waits for the database. Each
 * change is one call, which stores it, takes it over here and announces it.
 */
export interface Accounts {
  readonly users: Users;
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  readonly balances: Balances;
  /** Told of every change. */
  readonly changes: ChangeFeed;
}

/** @param money how balances are kept; whole in memory unless said. */
export const createAccounts = (
  store: AccountStore,
  tools: AccountTools,
  money: AccountMoney = createMemoryMoney(() => {}),
): Accounts => {
  const changes = new ChangeFeed(tools.reportError);
  const { balances } = money;
  const users = new Users(store.users, money, changes, tools);
  const keys = new ApiKeys(store.keys, users, money, changes, tools);
  const sessions = new Sessions(store.sessions, changes);
  return { users, keys, sessions, balances, changes };
};

/** Takes over what is stored, at a start. */
export const loadAccounts = async (
  { users, keys, sessions }: Accounts,
  stored: StoredAccounts,
): Promise<void> => {
  for await (const page of stored.users) users.load(page);
  for await (const page of stored.keys) keys.load(page);
  sessions.load(stored.sessions);
};
