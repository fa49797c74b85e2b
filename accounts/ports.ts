import type { Token } from "@tollgate/contract/api/tokens";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import type { Session } from "@tollgate/contract/records/session";
import type {
  KeyRotation,
  NewToken,
  TokenChange,
  TokenRecord,
} from "@tollgate/contract/records/token-record";
import type { CreatedUser, NewUser, UserChange, UserRecord } from "@tollgate/contract/records/user-record";
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

export interface UserStore {
  /** Stores a user, the inviter's reward and the lines of the log, all or none. @throws when a name, an address or an identity is taken. */
  create(user: NewUser, inviterReward: number, lines: readonly AccountLine[]): Promise<CreatedUser>;
  /** @throws when a name, an address or an identity is taken, there is no such user, or its account cannot hold so much. */
  change(id: number, change: UserChange, lines: readonly AccountLine[]): Promise<UserRecord>;
  /**
   * Adds to a balance, once for each cause and reference.
   * @returns how much it was; 0 where it was booked before. @throws when there is no such user, or its account cannot hold so much.
   */
  grant(id: number, quota: number, movement: Movement): Promise<number>;
  /** Takes of a balance what is there, `most` at most, once for each cause and reference. @returns how much it was. */
  take(id: number, most: number, movement: Movement): Promise<number>;
  /** Turns a user's commission into balance, both or none. @throws when there is not so much, or the account cannot hold it. */
  transferCommission(id: number, quota: number, at: number): Promise<number>;
  setAccessToken(id: number, accessToken: string): Promise<string>;
  /** Deletes a user with its keys and sessions. */
  remove(id: number): Promise<void>;
  /**
   * Redeems a code exactly once: marks it, adds its quota to the user and writes the log line, all or none.
   * @param unit how the log line says the amount.
   * @returns the quota.
   * @throws when the code is unknown, used or disabled, or the account cannot hold so much.
   */
  redeem(code: string, userId: number, now: number, username: string, unit: AmountUnit): Promise<number>;
}

export interface ApiKeyStore {
  /** How many keys a user has. */
  count(userId: number): Promise<number>;
  create(key: NewToken): Promise<{ record: TokenRecord }>;
  /** @returns undefined when the user has no such key. @throws when its account cannot hold so much. */
  change(userId: number, id: number, change: TokenChange): Promise<Token | undefined>;
  /** Gives a key a new secret. @returns undefined when the user has no such key. */
  rotate(
    userId: number,
    id: number,
    rotation: KeyRotation,
  ): Promise<{ token: Token; record: TokenRecord } | undefined>;
  /** Ends the secret before at once. @returns undefined when the user has no such key. */
  endFormer(userId: number, id: number): Promise<{ token: Token; record: TokenRecord } | undefined>;
  /** Forgets secrets that may be used no longer. */
  forgetFormer(now: number): Promise<void>;
  /**
   * Marks a key as expired or exhausted, unless something else happened to it: it is no longer as it was seen, or has quota.
   * @returns its status now; undefined when it is gone.
   */
  markStatus(
    id: number,
    seen: Pick<TokenRecord, "status" | "expiredTime">,
    to: number,
  ): Promise<number | undefined>;
  /** @returns false when the user has no such key. */
  remove(userId: number, id: number): Promise<boolean>;
}

export interface SessionStore {
  create(session: Session): Promise<void>;
  remove(idHash: string): Promise<void>;
  /** Ends all sessions of a user but one. @returns the hashes of the ended ones. */
  removeOthers(userId: number, keptIdHash: string): Promise<string[]>;
  removeExpired(now: number): Promise<void>;
}

export interface AccountStore {
  users: UserStore;
  keys: ApiKeyStore;
  sessions: SessionStore;
}

/** What storage holds at a start, in pieces. */
export interface StoredAccounts {
  users: AsyncIterable<readonly UserRecord[]>;
  keys: AsyncIterable<readonly TokenRecord[]>;
  sessions: readonly Session[];
}
