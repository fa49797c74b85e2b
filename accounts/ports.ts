import type {
  SessionChanges,
  TokenChanges,
  TokenQueries,
  UserChanges,
} from "@tollgate/contract/records/people-store";
import type { Session } from "@tollgate/contract/records/session";
import type { NewToken, TokenRecord } from "@tollgate/contract/records/token-record";
import type { UserRecord } from "@tollgate/contract/records/user-record";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";

/*
 * What the owner of accounts needs of storage. Calls are done in their order, and answered in it when they are stored: memory
 * takes changes over in the order of the answers.
 */

/** What the owner of accounts is told by the rest of the server. */
export interface AccountTools {
  /** The keyed hash under which storage keeps keys and access tokens. */
  hash(text: string): string;
  /** Unix seconds. */
  now(): number;
  amountUnit(): AmountUnit;
  /** Told of what could not be stored where no caller waits for it. */
  reportError(error: Error): void;
}

/** What each call does stands with its declaration. */
export interface UserStore
  extends Pick<UserChanges, "create" | "change" | "grant" | "take" | "setAccessToken" | "remove"> {
  /** Turns a user's commission into balance, both or none. @throws when there is not so much, or the account cannot hold it. */
  transferCommission(id: number, quota: number, at: number): Promise<number>;
  /**
   * Redeems a code exactly once: marks it, adds its quota to the user and writes the log line, all or none.
   * @param unit how the log line says the amount.
   * @returns the quota.
   * @throws when the code is unknown, used or disabled, or the account cannot hold so much.
   */
  redeem(code: string, userId: number, now: number, username: string, unit: AmountUnit): Promise<number>;
}

export interface ApiKeyStore extends Omit<TokenChanges, "create">, Pick<TokenQueries, "count"> {
  create(key: NewToken): Promise<{ record: TokenRecord }>;
}

export interface AccountStore {
  users: UserStore;
  keys: ApiKeyStore;
  sessions: SessionChanges;
}

/** What storage holds at a start, in pieces. */
export interface StoredAccounts {
  users: AsyncIterable<readonly UserRecord[]>;
  keys: AsyncIterable<readonly TokenRecord[]>;
  sessions: readonly Session[];
}
