import type { ApiKey, ApiKeyFilter, ApiKeySort } from "../api/api-keys";
import type { Plan, Subscription, SubscriptionSort } from "../api/plans";
import type { User } from "../api/user";
import type { UserFilter, UserSort } from "../api/users";
import type { ListSort } from "../resource/list-sort";
import type { AmountUnit } from "../values/log-phrase";
import type { AccountLine } from "./account-line";
import type { ApiKeyChange, ApiKeyRecord, KeyRotation, NewApiKey } from "./api-key-record";
import type { Movement } from "./ledger-entry";
import type {
  DueSubscription,
  LastPlanPeriod,
  NewPlan,
  NewPlanPeriod,
  NewSubscription,
  PlanChange,
  PlanStep,
  Subscribed,
} from "./plan-record";
import type { Session } from "./session";
import type { CreatedUser, Identity, NewUser, UserChange, UserRecord } from "./user-record";

/* Storage of users, their sessions, API keys and plans. Offsets and limits count rows; times are unix seconds. */

export interface UserQueries {
  /** Users with ids above `id` in their order, for the directory that is kept in memory. */
  after(id: number, limit: number): Promise<UserRecord[]>;
  /** Users of which the id is one of `ids`, in no order. */
  withIds(ids: readonly number[]): Promise<UserRecord[]>;
  count(): Promise<number>;
  find(id: number): Promise<User | undefined>;
  /**
   * Returns one page, the newest first by default.
   * @param keyword finds users of which the id is this, or the name, address or display name begins with it.
   */
  page(
    offset: number,
    limit: number,
    sort?: ListSort<UserSort>,
    filter?: UserFilter,
    keyword?: string,
  ): Promise<User[]>;
  /** Users with ids below `id`, the newest first; `keyword` as of `page`. */
  before(id: number, limit: number, keyword?: string, filter?: UserFilter): Promise<User[]>;
  /** Returns the user with this value of a column that is unique when it is not empty; an address in any case. */
  findBy(column: "email" | "aff_code", value: string): Promise<User | undefined>;
  /** The user of an account elsewhere. */
  findByIdentity(identity: Identity): Promise<User | undefined>;
  /** The first user of a role. */
  findByRole(role: number): Promise<User | undefined>;
  /** The user's access token in clear; "" without one. */
  accessToken(id: number): Promise<string>;
}

/** The log line of a movement of a user's balance; storage knows its amount. */
export interface MovementLine {
  username: string;
  code: "quota-added" | "quota-taken";
  unit: AmountUnit;
}

export interface UserChanges {
  /**
   * Creates a user, rewards the inviter and writes the lines of the log, all or none. A line whose `userId` is 0 belongs to
   * the new user.
   * @throws StorageConflict when the name, address or identity is taken.
   */
  create(user: NewUser, inviterReward: number, lines: readonly AccountLine[]): Promise<CreatedUser>;
  /**
   * @throws StorageConflict when a name, address or identity is taken, "not-found", "balance-too-large", or
   *   "booked-before" where the balance was moved for the same reference.
   */
  change(id: number, change: UserChange, lines?: readonly AccountLine[]): Promise<UserRecord>;
  /**
   * Adds to a balance, once for each cause and reference, with its entry in the ledger and its line of the log.
   * @returns how much it was; 0 where it was booked before. @throws StorageConflict "not-found", "balance-too-large"
   */
  grant(id: number, quota: number, movement: Movement, line?: MovementLine): Promise<number>;
  /**
   * Takes the unleased part of a balance, up to a limit, once for each cause and reference; otherwise as `grant`.
   * @returns the taken quota; 0 when it was booked before, or there is no such user.
   */
  take(id: number, most: number, movement: Movement, line?: MovementLine): Promise<number>;
  /** Forgets operations that moved nothing before a time, unix seconds. */
  forgetDone(before: number): Promise<void>;
  /** Replaces the user's access token. @returns its keyed hash. */
  setAccessToken(id: number, accessToken: string): Promise<string>;
  /** Deletes a user with its keys, sessions and identities. Its log lines stay: they account for payments. */
  remove(id: number): Promise<void>;
}

export interface SessionQueries {
  /** Every session that has not expired, the oldest first, for the directory that is kept in memory. */
  live(now: number): Promise<Session[]>;
  /** Sessions of which the hash is one of `idHashes`, in no order; expired ones too. */
  withIds(idHashes: readonly string[]): Promise<Session[]>;
  /** A user's sessions that have not expired. */
  ofUser(userId: number, now: number): Promise<Session[]>;
}

/** When a session was last used, unix seconds. */
export type SessionUse = Pick<Session, "idHash" | "lastUsedTime">;

export interface SessionChanges {
  create(session: Session): Promise<void>;
  /** Stores when sessions were last used, as far as it is later than what is stored. */
  noteUse(uses: readonly SessionUse[]): Promise<void>;
  remove(idHash: string): Promise<void>;
  /** Ends all sessions of a user but one. @returns the hashes of the ended ones. */
  removeOthers(userId: number, keptIdHash: string): Promise<string[]>;
  /** Ends all sessions of users of a role or above who have no second factor. @returns the hashes of the ended ones. */
  removeOfOneFactor(leastRole: number): Promise<string[]>;
  removeExpired(now: number): Promise<void>;
}

export interface ApiKeyQueries {
  /** Tokens with ids above `id` in their order, for the directory that is kept in memory. */
  after(id: number, limit: number): Promise<ApiKeyRecord[]>;
  /** Tokens of which the id is one of `ids`, in no order. */
  withIds(ids: readonly number[]): Promise<ApiKeyRecord[]>;
  /** Returns one page of a user's tokens, the newest first by default. @param prefix of their names. */
  page(
    userId: number,
    offset: number,
    limit: number,
    sort?: ListSort<ApiKeySort>,
    filter?: ApiKeyFilter,
    prefix?: string,
  ): Promise<ApiKey[]>;
  count(userId: number): Promise<number>;
  /** One token of a user; another user's is not found. */
  find(userId: number, id: number): Promise<ApiKey | undefined>;
}

export interface ApiKeyChanges {
  create(token: NewApiKey): Promise<{ token: ApiKey; record: ApiKeyRecord }>;
  /** Creates many, all or none, in their order. */
  createAll(tokens: readonly NewApiKey[]): Promise<{ token: ApiKey; record: ApiKeyRecord }[]>;
  /** @returns undefined when the user has no such token. @throws StorageConflict "balance-too-large" */
  change(userId: number, id: number, change: ApiKeyChange): Promise<ApiKey | undefined>;
  /**
   * Adds to a token's own limit, once for each cause and reference, with its entry in the ledger.
   * @returns how much it was; 0 where it was booked before. @throws StorageConflict "not-found", "balance-too-large"
   */
  grant(userId: number, id: number, quota: number, movement: Movement): Promise<number>;
  /** Gives a token a new secret; the one before is kept until it may be used no longer. @returns undefined when the user has no such token. */
  rotate(
    userId: number,
    id: number,
    rotation: KeyRotation,
  ): Promise<{ token: ApiKey; record: ApiKeyRecord } | undefined>;
  /** Ends the secret before at once. @returns undefined when the user has no such token. */
  endFormer(userId: number, id: number): Promise<{ token: ApiKey; record: ApiKeyRecord } | undefined>;
  /** Forgets secrets that may be used no longer. */
  forgetFormer(now: number): Promise<void>;
  /**
   * Marks a token as expired or exhausted, unless something else happened to it: it is no longer as it was seen, or has quota.
   * @returns its status now; undefined when it is gone.
   */
  markStatus(
    id: number,
    seen: Pick<ApiKeyRecord, "status" | "expiredTime">,
    to: number,
  ): Promise<number | undefined>;
  /** @returns false when the user has no such token. */
  remove(userId: number, id: number): Promise<boolean>;
}

/** Plans and their subscriptions. A subscription's period has its current rest, as far as charges are booked. */
export interface PlanQueries {
  /** All plans, in the order in which they are offered. */
  all(): Promise<Plan[]>;
  find(id: number): Promise<Plan | undefined>;
  subscription(id: number): Promise<Subscription | undefined>;
  /** The newest of a user's subscriptions. */
  ofUser(userId: number, limit: number): Promise<Subscription[]>;
  /** One page of all subscriptions, or those of a user or a plan, the newest first. */
  page(
    offset: number,
    limit: number,
    filter: { userId?: number; planId?: number },
    sort?: ListSort<SubscriptionSort>,
  ): Promise<Subscription[]>;
  /** Subscriptions of which something is to be done at a time, the ones that end first first. */
  due(now: number, limit: number): Promise<DueSubscription[]>;
  /** Subscriptions that end before a time, and of which the user was not told so yet. */
  endingSoon(before: number, limit: number): Promise<Subscription[]>;
  /** The subscription that takes the place of this one when it ends, if one was paid for. */
  followerOf(id: number): Promise<Subscription | undefined>;
  /** Quota that is left of those periods of a subscription that are over at a time, and is to be taken back. */
  overdue(id: number, now: number): Promise<number>;
  lastPeriod(id: number): Promise<LastPlanPeriod | undefined>;
  /** Quota of a user's own that is put aside. */
  parked(userId: number): Promise<number>;
  /** Returns quota of a user's balance that is the user's own, and no plan's, including the part put aside. */
  own(userId: number): Promise<number>;
}

/**
 * Plans, and the steps of those who have them. Each step is a transaction behind the lock of the user's row and is done once, however
 * many ask for it: at once, again, or in any order.
 */
export interface PlanChanges {
  /** @param savedBy the person who decides the price from now on (contract/values/favour.ts); 0 where that is not known. */
  create(plan: NewPlan, savedBy?: number): Promise<Plan>;
  /** @param savedBy as of `create`. @returns undefined when there is no such plan. */
  change(id: number, change: PlanChange, savedBy?: number): Promise<Plan | undefined>;
  /** Deletes a plan; its subscribers keep it. @returns false for an unknown plan. */
  remove(id: number): Promise<boolean>;
  /**
   * Stores a subscription and takes its price, all or none: first from the quota put aside, then from the user's own
   * part of the balance.
   * @param most maximum quota taken from the balance.
   * @returns "held" when the user's own money is enough, but requests under way or other nodes hold it.
   * @throws StorageConflict "not-found", "plan-unaffordable", "plan-often-enough" or "plan-followed"
   */
  subscribe(wanted: NewSubscription, most: number, unit: AmountUnit): Promise<Subscribed | "held">;
  /**
   * Starts a period, and the subscription with its first one: grants the included quota, up to the account's maximum.
   */
  openPeriod(period: NewPlanPeriod, unit: AmountUnit): Promise<PlanStep>;
  /**
   * Ends the periods of a subscription that are due, and takes back their unspent quota.
   * @param most maximum quota taken from the balance; the rest stays due until the next call.
   */
  closePeriods(subscriptionId: number, now: number, most: number, unit: AmountUnit): Promise<PlanStep>;
  /**
   * Ends a subscription. Its period, if one is open, is due then; quota put aside comes back with the last plan that
   * stops.
   */
  end(id: number, reason: "expired" | "ended", now: number, unit: AmountUnit): Promise<PlanStep>;
  /** @returns false when it has ended. */
  setRenews(id: number, renews: boolean): Promise<boolean>;
  /** The user was told that it ends soon. */
  setNotified(id: number): Promise<void>;
}
