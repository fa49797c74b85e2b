import { type AccountMoney, createMemoryMoney } from "./account-money";
import { ApiKeys } from "./api-keys";
import type { Balances } from "./balances";
import { ChangeFeed } from "./change-feed";
import { PlaygroundKeys } from "./playground-keys";
import type { AccountStore, AccountTools, StoredAccounts } from "./ports";
import { Sessions } from "./sessions";
import { Users } from "./users";

/**
 * Users, keys and sessions in memory, so that no request waits for the database. Each change is one call, which stores
 * it, applies it in memory and announces it.
 */
export interface Accounts {
  readonly users: Users;
  readonly keys: ApiKeys;
  readonly playgroundKeys: PlaygroundKeys;
  readonly sessions: Sessions;
  readonly balances: Balances;
  /** Announces every change. */
  readonly changes: ChangeFeed;
}

/** @param money the kind of balances; whole ones in memory by default. */
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
  const playgroundKeys = new PlaygroundKeys(money);
  return { users, keys, playgroundKeys, sessions, balances, changes };
};

/** Loads the stored accounts at startup. */
export const loadAccounts = async (
  { users, keys, sessions }: Accounts,
  stored: StoredAccounts,
): Promise<void> => {
  for await (const page of stored.users) users.load(page);
  for await (const page of stored.keys) keys.load(page);
  sessions.load(stored.sessions);
};
