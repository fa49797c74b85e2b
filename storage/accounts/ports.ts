import type { Channel, ChannelFilter, ChannelSort } from "@tollgate/contract/api/channels";
import type { LedgerEntry, LedgerFilter } from "@tollgate/contract/api/ledger";
import type { NodeReport } from "@tollgate/contract/api/nodes";
import type { Option } from "@tollgate/contract/api/options";
import type { Plan, Subscription } from "@tollgate/contract/api/plans";
import type { Redemption, RedemptionFilter, RedemptionSort } from "@tollgate/contract/api/redemptions";
import type { Token, TokenFilter, TokenSort } from "@tollgate/contract/api/tokens";
import type { User } from "@tollgate/contract/api/user";
import type { UserFilter, UserSort } from "@tollgate/contract/api/users";
import type { PriceDraftState } from "@tollgate/contract/management/price-draft";
import type { BalanceMovement } from "@tollgate/contract/management/reconciliation";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { AuditAction, AuditRecord, AuditSubject } from "@tollgate/contract/records/audit-record";
import type { Change } from "@tollgate/contract/records/change";
import type {
  ChannelChange,
  ChannelRecord,
  NewChannel,
  WindowedChannel,
} from "@tollgate/contract/records/channel-record";
import type {
  Commission,
  CommissionSummary,
  InvitedUser,
  Payout,
  PayoutState,
} from "@tollgate/contract/records/commission-record";
import type {
  AccountId,
  BalanceEdit,
  BatchBooked,
  BookedCharge,
  ChargeBatch,
  EditDone,
  EpochOver,
  LeaseGrant,
  LeaseRecall,
  LeaseReturn,
  LeaseWish,
  NodeJoined,
  NodeRenewed,
} from "@tollgate/contract/records/lease";
import type { LedgerCause, Movement } from "@tollgate/contract/records/ledger-entry";
import type {
  ClaimedNotice,
  IncidentKey,
  NewNoticeTarget,
  NoticeOutcome,
  NoticeOwner,
  NoticeTargetChange,
  NoticeTargetRecord,
  OpenIncident,
  RaisedNotice,
  SentNotice,
} from "@tollgate/contract/records/notice-record";
import type {
  BackStep,
  BegunRefund,
  ForwardStep,
  NewOrder,
  OrderCheckout,
  OrderFilter,
  OrderRecord,
  PaymentFaultRecord,
  RefundRecord,
  ReturnStep,
  StepNote,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import type {
  DueSubscription,
  LastPlanPeriod,
  NewPlan,
  NewPlanPeriod,
  NewSubscription,
  PlanChange,
  PlanStep,
  Subscribed,
} from "@tollgate/contract/records/plan-record";
import type {
  NewPriceDraftRecord,
  PriceDraftRecord,
  PublishedOption,
  RehearsalRecord,
} from "@tollgate/contract/records/price-draft-record";
import type {
  NewBalanceMovement,
  NewReconciliation,
  ReconciliationRecord,
} from "@tollgate/contract/records/reconciliation-record";
import type {
  NewRedemption,
  RedemptionChange,
  RedemptionUse,
} from "@tollgate/contract/records/redemption-record";
import type { Session } from "@tollgate/contract/records/session";
import type {
  KeyRotation,
  NewToken,
  TokenChange,
  TokenRecord,
} from "@tollgate/contract/records/token-record";
import type {
  CreatedUser,
  Identity,
  NewUser,
  UserChange,
  UserRecord,
} from "@tollgate/contract/records/user-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";
import type { SomeOf } from "../consistency";
import type { RequestEntry } from "../outbox/log-entry";

/*
 * What the accounts store does: users, API keys, channels, options, codes, sessions, the audit, and what is charged.
 * Offsets and limits count rows; times are unix seconds.
 */

export interface UserQueries {
  /** Users with ids above `id` in their order, for the directory that is kept in memory. */
  after(id: number, limit: number): Promise<UserRecord[]>;
  /** Users of which the id is one of `ids`, in no order. */
  withIds(ids: readonly number[]): Promise<UserRecord[]>;
  count(): Promise<number>;
  find(id: number): Promise<User | undefined>;
  /** One page, the newest first unless another order is asked for. */
  page(offset: number, limit: number, sort?: ListSort<UserSort>, filter?: UserFilter): Promise<User[]>;
  /** Users with ids below `id`, the newest first; of those that `search` finds where there is a keyword. */
  before(id: number, limit: number, keyword?: string, filter?: UserFilter): Promise<User[]>;
  /** Users of which the id is `keyword`, or the name, address or display name begins with it; the newest first. */
  search(keyword: string, limit: number): Promise<User[]>;
  /** The one user with this value of what is unique when it is not empty. */
  findBy(column: "email" | "aff_code", value: string): Promise<User | undefined>;
  /** The user of an account elsewhere. */
  findByIdentity(identity: Identity): Promise<User | undefined>;
  /** The first user of a role. */
  findByRole(role: number): Promise<User | undefined>;
  /** The user's own access token in clear; "" when there is none. */
  accessToken(id: number): Promise<string>;
}

export interface UserChanges {
  /**
   * Creates a user, rewards the inviter and writes the lines of the log, all or none. A line whose `userId` is 0 belongs to
   * the new user.
   * @throws StorageConflict when the name, address or identity is taken.
   */
  create(user: NewUser, inviterReward: number, lines: readonly AccountLine[]): Promise<CreatedUser>;
  /** @throws StorageConflict when a name, address or identity is taken, "not-found", or "balance-too-large". */
  change(id: number, change: UserChange, lines?: readonly AccountLine[]): Promise<UserRecord>;
  /**
   * Adds to a balance, once for each cause and reference, with its entry in the ledger.
   * @returns how much it was; 0 where it was booked before. @throws StorageConflict "not-found", "balance-too-large"
   */
  grant(id: number, quota: number, movement: Movement): Promise<number>;
  /**
   * Takes of a balance what is there and not leased, once for each cause and reference.
   * @returns how much it was; 0 where it was booked before, or there is no such user.
   */
  take(id: number, most: number, movement: Movement): Promise<number>;
  /** Replaces the user's access token. @returns its keyed hash. */
  setAccessToken(id: number, accessToken: string): Promise<string>;
  /** Deletes a user with its keys, sessions and identities. Its log lines stay: they are the account of what was paid. */
  remove(id: number): Promise<void>;
}

export interface SessionQueries {
  /** Every session that has not expired, the oldest first, for the directory that is kept in memory. */
  live(now: number): Promise<Session[]>;
  /** Sessions of which the hash is one of `idHashes`, in no order; expired ones too. */
  withIds(idHashes: readonly string[]): Promise<Session[]>;
}

export interface SessionChanges {
  create(session: Session): Promise<void>;
  remove(idHash: string): Promise<void>;
  /** Ends all sessions of a user but one. @returns the hashes of the ended ones. */
  removeOthers(userId: number, keptIdHash: string): Promise<string[]>;
  removeExpired(now: number): Promise<void>;
}

export interface TokenQueries {
  /** Tokens with ids above `id` in their order, for the directory that is kept in memory. */
  after(id: number, limit: number): Promise<TokenRecord[]>;
  /** Tokens of which the id is one of `ids`, in no order. */
  withIds(ids: readonly number[]): Promise<TokenRecord[]>;
  /** One page of a user's tokens, the newest first unless another order is asked for. */
  page(
    userId: number,
    offset: number,
    limit: number,
    sort?: ListSort<TokenSort>,
    filter?: TokenFilter,
  ): Promise<Token[]>;
  count(userId: number): Promise<number>;
  /** The newest `limit` of a user's tokens whose name begins with `prefix`. */
  search(userId: number, prefix: string, limit: number): Promise<Token[]>;
  /** One token of a user; another user's is not found. */
  find(userId: number, id: number): Promise<Token | undefined>;
}

export interface TokenChanges {
  create(token: NewToken): Promise<{ token: Token; record: TokenRecord }>;
  /** @returns undefined when the user has no such token. @throws StorageConflict "balance-too-large" */
  change(userId: number, id: number, change: TokenChange): Promise<Token | undefined>;
  /** Gives a token a new secret; the one before is kept until it may be used no longer. @returns undefined when the user has no such token. */
  rotate(
    userId: number,
    id: number,
    rotation: KeyRotation,
  ): Promise<{ token: Token; record: TokenRecord } | undefined>;
  /** Ends the secret before at once. @returns undefined when the user has no such token. */
  endFormer(userId: number, id: number): Promise<{ token: Token; record: TokenRecord } | undefined>;
  /** Forgets secrets that may be used no longer. */
  forgetFormer(now: number): Promise<void>;
  /**
   * Marks a token as expired or exhausted, unless something else happened to it: it is no longer as it was seen, or has quota.
   * @returns its status now; undefined when it is gone.
   */
  markStatus(
    id: number,
    seen: Pick<TokenRecord, "status" | "expiredTime">,
    to: number,
  ): Promise<number | undefined>;
  /** @returns false when the user has no such token. */
  remove(userId: number, id: number): Promise<boolean>;
}

/** The order of channels. Balances that were typed in are counted down in quota: `quotaPerUnit` of it are a US dollar. */
export interface ChannelListSort extends ListSort<ChannelSort> {
  readonly quotaPerUnit: number;
}

export interface ChannelQueries {
  /** Channels with their keys, with ids above `id` in their order, for the directory that is kept in memory. */
  after(id: number, limit: number): Promise<ChannelRecord[]>;
  /** Channels with their keys of which the id is one of `ids`, in no order. */
  withIds(ids: readonly number[]): Promise<ChannelRecord[]>;
  /** One page, the newest first unless another order is asked for. */
  page(offset: number, limit: number, sort?: ChannelListSort, filter?: ChannelFilter): Promise<Channel[]>;
  /** Channels with ids below `id`, the newest first; of those that `search` finds where there is a keyword. */
  before(
    id: number,
    limit: number,
    keyword?: string,
    key?: string,
    filter?: ChannelFilter,
  ): Promise<Channel[]>;
  /**
   * Channels of which the id or the tag is `keyword`, the name begins with it, or one of the keys is exactly `key`, by
   * default `keyword`; the newest first.
   */
  search(keyword: string, limit: number, key?: string): Promise<Channel[]>;
  find(id: number): Promise<Channel | undefined>;
  /** The channels with calendars that have windows, or had. */
  windowed(): Promise<WindowedChannel[]>;
  /** Those whose balance was typed in. */
  typed(): Promise<Channel[]>;
}

export interface ChannelChanges {
  /** Creates all of them or none. */
  create(channels: NewChannel[]): Promise<ChannelRecord[]>;
  /** @returns undefined when there is no such channel. */
  change(id: number, change: ChannelChange): Promise<ChannelRecord | undefined>;
  saveTest(id: number, testTime: number, responseTimeMs: number): Promise<void>;
  saveBalance(id: number, balance: number, updatedTime: number): Promise<void>;
  /**
   * Counts a channel's balance down from here on; undefined ends that.
   * @param balance USD. @returns false where there is no such channel.
   */
  saveTypedBalance(id: number, balance: number | undefined, updatedTime: number): Promise<boolean>;
  remove(id: number): Promise<void>;
  /** Deletes the channels that are switched off, by hand or automatically. @returns their ids. */
  removeDisabled(): Promise<number[]>;
}

export interface OptionQueries {
  /** Every option that was ever saved, secrets in clear: for the server only. */
  all(): Promise<Option[]>;
}

/** How changes of options are counted, those of several processes together. */
export interface OptionCount {
  /** The option that has the number of the last one; 1 before it was ever saved. */
  key: string;
  /** What the changed option had for its default, should it never have been saved. */
  before: string;
}

/** What an option is to be still when it is saved, so that no change is written over unseen. */
export interface ExpectedOption {
  value: string;
  /** What it is where it was never saved. */
  fallback: string;
}

export interface OptionChanges {
  /**
   * @param isSecret stores the value sealed.
   * @param counted where each change of the value is to have a number of its own.
   * @param expected nothing is written where the option is another by now, whichever process saved it; not for secrets.
   * @returns every option that was ever saved, as they stand after it; secrets in clear: for the server only.
   */
  put(
    key: string,
    value: string,
    isSecret: boolean,
    counted?: OptionCount,
    expected?: ExpectedOption,
  ): Promise<Option[]>;
}

export interface RedemptionQueries {
  /** One page, the newest first unless another order is asked for. */
  page(
    offset: number,
    limit: number,
    sort?: ListSort<RedemptionSort>,
    filter?: RedemptionFilter,
  ): Promise<Redemption[]>;
  /** Codes with ids below `id`, the newest first; of those that `search` finds where there is a keyword. */
  before(id: number, limit: number, keyword?: string, filter?: RedemptionFilter): Promise<Redemption[]>;
  /** Codes of which the id is `keyword` or the name begins with it; the newest first. */
  search(keyword: string, limit: number): Promise<Redemption[]>;
  find(id: number): Promise<Redemption | undefined>;
  /** One page of the uses of a code, the newest first. */
  uses(id: number, offset: number, limit: number): Promise<RedemptionUse[]>;
}

export interface RedemptionChanges {
  /** Deletes all codes that cannot be redeemed any more: used up, disabled, or expired. @returns how many. */
  removeDead(now: number): Promise<number>;
  /** Creates all of them or none. */
  create(redemptions: NewRedemption[]): Promise<void>;
  /**
   * Changes a code that was not redeemed.
   * @throws StorageConflict "not-found", or "redemption-used": what was paid out cannot be changed afterwards.
   */
  change(id: number, change: RedemptionChange): Promise<Redemption>;
  /** @returns false when there is no such code. */
  remove(id: number): Promise<boolean>;
  /**
   * Redeems a code, each user once: counts the use, adds its quota to the user and writes the log line, all or none.
   * @param amount how the log line says the amount.
   * @returns the quota.
   * @throws StorageConflict "redemption-unknown", "redemption-used", "redemption-disabled", "redemption-expired", "redemption-used-before", or
   * "balance-too-large" when the account cannot hold so much
   */
  redeem(
    key: string,
    userId: number,
    now: number,
    username: string,
    amount: { quotaPerUnit: number; isCurrency: boolean },
  ): Promise<number>;
}

export type VerificationPurpose = "email" | "password-reset";

export interface VerificationChanges {
  /** Remembers a code that was sent; an earlier one for the same address is void. */
  put(purpose: VerificationPurpose, subject: string, code: string, expiresTime: number): Promise<void>;
  /** Checks a code and uses it up: a right one works once, a wrong one of an address counts as an attempt. */
  use(purpose: VerificationPurpose, subject: string, code: string, now: number): Promise<boolean>;
  /** Forgets codes that are of no use any more. */
  removeExpired(now: number): Promise<void>;
}

/** What entries of a cause moved. */
export interface MovedQuota {
  readonly cause: LedgerCause;
  readonly entries: number;
  readonly quota: number;
}

/** Where a user's ledger begins. */
export interface LedgerBeginning {
  /** When its balance was brought forward; undefined where every movement since the user was created is an entry. */
  readonly at: number | undefined;
  /** When its balance was first moved; undefined where it never was. */
  readonly first: number | undefined;
  /** What it used that the log does not know of. */
  readonly unlogged: number;
}

export interface LedgerQueries {
  /** One page of the entries that a filter leaves, the newest first. */
  page(filter: LedgerFilter, offset: number, limit: number): Promise<LedgerEntry[]>;
  /**
   * What moved a user's balance, by cause, in a range: unix seconds, `end` excluded.
   * @param end undefined for all of it.
   */
  moved(userId: number, from: number, end?: number): Promise<MovedQuota[]>;
  /**
   * The same of all causes together. Of one cause it may be more than a number holds, and is the most that one does then; all causes
   * of a user add up to no more than an account can hold.
   */
  total(userId: number, from: number, end?: number): Promise<number>;
  /** From when on the ledger knows a user. @returns undefined where there is no such user. */
  beginning(userId: number): Promise<LedgerBeginning | undefined>;
  /** Entries with ids below `id`, the newest first. */
  before(filter: LedgerFilter, id: number, limit: number): Promise<LedgerEntry[]>;
}

export interface CommissionQueries {
  summary(userId: number): Promise<CommissionSummary>;
  /** One page of the users that a user invited, the newest first. */
  invited(userId: number, offset: number, limit: number): Promise<InvitedUser[]>;
  /** One page of everybody's commissions, the newest first. */
  commissions(offset: number, limit: number): Promise<Commission[]>;
  /** One page of requests to be paid out, the newest first. */
  payouts(
    filter: { userId?: number | undefined; state?: PayoutState | undefined },
    offset: number,
    limit: number,
  ): Promise<Payout[]>;
}

export interface CommissionChanges {
  /**
   * Turns commission into balance: an entry on each account, both or none.
   * @returns how much it was. @throws StorageConflict "commission-short", "balance-too-large", "not-found"
   */
  transfer(userId: number, quota: number, at: number): Promise<number>;
  /** Asks for commission to be paid out: it is put aside. @returns the request's id. @throws StorageConflict "commission-short" */
  ask(userId: number, quota: number, note: string, at: number): Promise<number>;
  /** Decides a request, once. @returns undefined where there is none that is not decided. */
  decide(
    id: number,
    state: "paid" | "declined",
    by: { actorId: number; reason: string; at: number },
  ): Promise<Payout | undefined>;
}

/** Which lines of the audit are asked for; all where nothing is said. */
export interface AuditFilter {
  /** One action, or the subject of several. */
  action?: AuditAction | AuditSubject | undefined;
  target?: string | undefined;
  /** Names at the time of the line. */
  username?: string | undefined;
  beneficiary?: string | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, inclusive. */
  to?: number | undefined;
}

export interface AuditQueries {
  /** One page, the newest first. */
  page(filter: AuditFilter, offset: number, limit: number): Promise<StoredAuditRecord[]>;
}

/** An action may be one that only another version knows. */
export type StoredAuditRecord = Omit<AuditRecord, "action"> & { id: number; action: string };

export interface AuditChanges {
  add(record: AuditRecord): Promise<void>;
}

export interface ReconciliationQueries {
  /** One page, the newest first. Each has all of its rows, which may be megabytes. */
  page(offset: number, limit: number): Promise<ReconciliationRecord[]>;
  find(id: number): Promise<ReconciliationRecord | undefined>;
  /**
   * What was read of a channel's balance and paid in at its upstream, in the order of time; of very many the newest.
   * @param to inclusive.
   */
  movements(channelId: number, from: number, to: number): Promise<BalanceMovement[]>;
}

export interface ReconciliationChanges {
  /** @returns its id. */
  add(reconciliation: NewReconciliation): Promise<number>;
  remove(id: number): Promise<void>;
  addMovement(movement: NewBalanceMovement): Promise<void>;
}

export interface NoticeQueries {
  /** All targets of an owner with their secrets, the oldest first: for the server only. */
  targets(owner: NoticeOwner): Promise<NoticeTargetRecord[]>;
  /** One page of what an owner was sent, the newest first. */
  sent(owner: NoticeOwner, offset: number, limit: number): Promise<SentNotice[]>;
  /** Incidents that have not ended. */
  open(): Promise<OpenIncident[]>;
  /** Below which balance a user wants to be told; undefined for the site's threshold. */
  remindBelow(userId: number): Promise<number | undefined>;
  /** Users whose balance is below their own threshold, and who are not told yet; at most `limit`. */
  belowOwn(limit: number): Promise<{ userId: number; quota: number }[]>;
}

/** Telling people what happened: each change is a transaction, so that nothing is told twice, however many nodes raise it. */
export interface NoticeChanges {
  /** @param quota undefined for the site's threshold. */
  setRemindBelow(userId: number, quota: number | undefined): Promise<void>;
  /** @param most how many targets an owner may have. @returns undefined when there are as many. */
  addTarget(
    owner: NoticeOwner,
    target: NewNoticeTarget,
    most: number,
  ): Promise<NoticeTargetRecord | undefined>;
  /** @returns undefined when the owner has no such target. */
  changeTarget(
    owner: NoticeOwner,
    id: number,
    change: NoticeTargetChange,
  ): Promise<NoticeTargetRecord | undefined>;
  /** @returns false when the owner has no such target. */
  removeTarget(owner: NoticeOwner, id: number): Promise<boolean>;
  /**
   * Something happened. Told over the targets that take the event, unless it is told already: the incident is open, or was said to be
   * over only now, and so goes on.
   * @returns how many notices wait for it.
   */
  raise(raised: RaisedNotice): Promise<number>;
  /** An incident seems to be over. It ends when it is not raised again meanwhile (`settle`). */
  resolve(incident: IncidentKey, at: number): Promise<void>;
  /** It is not over, as was said. */
  reopen(incident: IncidentKey): Promise<void>;
  /**
   * Ends incidents that were said to be over before a time, and were not raised again.
   * @param canMail as of a raised one. @returns how many notices wait for it.
   */
  settle(resolvedBefore: number, at: number, canMail: boolean): Promise<number>;
  /**
   * Takes notices that are due, at most one for each receiver, and none for one that was told more than `perMinute` times in the
   * last minute. No other node gets them until `until`.
   */
  claim(now: number, until: number, perMinute: number): Promise<ClaimedNotice[]>;
  /** Writes down how a try ended. */
  finish(id: number, outcome: NoticeOutcome, at: number): Promise<void>;
  /** Writes down that a target was tried. */
  noteTest(target: NoticeTargetRecord, messageId: string, outcome: NoticeOutcome, at: number): Promise<void>;
  /** Forgets what was sent before a time, all but the newest `most`, and incidents that are of no more use. */
  forget(before: number, most: number): Promise<void>;
}

/** Plans and who has them. Of a subscription's period it is told what is left now, as far as charges are booked. */
export interface PlanQueries {
  /** All plans, in the order in which they are offered. */
  all(): Promise<Plan[]>;
  find(id: number): Promise<Plan | undefined>;
  subscription(id: number): Promise<Subscription | undefined>;
  /** The newest of a user's subscriptions. */
  ofUser(userId: number, limit: number): Promise<Subscription[]>;
  /** One page of all subscriptions, or those of a user or a plan, the newest first. */
  page(offset: number, limit: number, filter: { userId?: number; planId?: number }): Promise<Subscription[]>;
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
  /** Quota of a user's balance that is the user's own, and no plan's, with what is put aside. */
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
  /** Deletes a plan; who has it keeps it. @returns false when there is none. */
  remove(id: number): Promise<boolean>;
  /**
   * Stores a subscription and takes its price, all or none: first of what is put aside, then of the user's own part of the balance.
   * @param most at most so much quota may be taken of the balance.
   * @returns "held" where the user's own money would do, and requests under way or other nodes have it.
   * @throws StorageConflict "not-found", "plan-unaffordable", "plan-often-enough" or "plan-followed"
   */
  subscribe(wanted: NewSubscription, most: number, unit: AmountUnit): Promise<Subscribed | "held">;
  /** Begins a period, and the subscription with its first one: grants what it includes, or as much of it as the account can hold. */
  openPeriod(period: NewPlanPeriod, unit: AmountUnit): Promise<PlanStep>;
  /**
   * Ends the periods of a subscription that are due, and takes back what was not spent of them.
   * @param most at most so much quota may be taken of the balance; the rest is due until it is asked for again.
   */
  closePeriods(subscriptionId: number, now: number, most: number, unit: AmountUnit): Promise<PlanStep>;
  /** Ends a subscription. Its period, if one is open, is due then; what was put aside comes back with the last plan that stops. */
  end(id: number, reason: "expired" | "ended", now: number, unit: AmountUnit): Promise<PlanStep>;
  /** @returns false when it has ended. */
  setRenews(id: number, renews: boolean): Promise<boolean>;
  /** The user was told that it ends soon. */
  setTold(id: number): Promise<void>;
}

export interface OrderQueries {
  find(number: string): Promise<OrderRecord | undefined>;
  /** The order that a provider's payment is for. */
  findByPayment(provider: string, payment: string): Promise<OrderRecord | undefined>;
  /** One page, the newest first. */
  page(filter: OrderFilter, offset: number, limit: number): Promise<OrderRecord[]>;
  /** Orders with ids below `id`, the newest first. */
  before(filter: OrderFilter, id: number, limit: number): Promise<OrderRecord[]>;
  /** An order's refunds, the oldest first. */
  refunds(orderId: number): Promise<RefundRecord[]>;
  /** Refunds of which the provider has not said yet whether it made them, with their orders, the oldest first. */
  asking(limit: number): Promise<{ order: OrderRecord; refund: RefundRecord }[]>;
  /** Money that is gone, of which requests under way still held what it stands for, with the orders, the oldest first. */
  taking(limit: number): Promise<{ order: OrderRecord; refund: RefundRecord }[]>;
  /** Refunds that a person has to send, with their orders, the oldest first. */
  byHand(limit: number): Promise<{ order: OrderRecord; refund: RefundRecord }[]>;
  /** What was wrong with callbacks, of one order or of all, the newest first. */
  faults(orderId: number | undefined, limit: number): Promise<PaymentFaultRecord[]>;
}

/** What users buy. A step is decided under the lock of its order's row (contract/payments/order-machine.ts), with the money that it moves. */
export interface OrderChanges {
  /** @param most how many orders a user may have open. @returns undefined when there are as many. */
  create(order: NewOrder, most: number): Promise<OrderRecord | undefined>;
  /** Notes how an order is paid. @param checkout what the provider calls it. */
  begin(id: number, checkout: string, pay: OrderCheckout): Promise<void>;
  /** A step that gives quota, or changes a state alone. @returns undefined when there is no such order. */
  step(number: string, step: ForwardStep, note: StepNote): Promise<StepOutcome | undefined>;
  /**
   * Money has gone back at the provider: what it stands for is taken of what is unspent of the plan that was ended for it, and of the buyer's
   * own money, as far as it is there.
   * @param most what is taken of the balance at most.
   * @param unspent of an order's plan that has ended, what is unspent of its price, in all; more than what it stands for is given to the balance.
   * @returns undefined when there is no such order.
   */
  sendBack(
    number: string,
    step: BackStep,
    note: StepNote,
    most: number,
    unspent?: number,
  ): Promise<StepOutcome | undefined>;
  /**
   * Begins a refund of what is unspent: takes it, and says what it stands for.
   * @param reference of the refund. @param most what is taken of the balance at most. @param unspent as of money that has gone back.
   */
  beginRefund(
    number: string,
    reference: string,
    isByHand: boolean,
    note: StepNote,
    most: number,
    unspent?: number,
  ): Promise<BegunRefund | undefined>;
  /**
   * Ends a refund that the provider is asked for. What was taken for one that was refused is given back.
   * @param isByHand an administrator says so, named in the note: then one that a person has to send is ended as well, and the provider's
   * word of it moves nothing any more.
   * @returns the quota that was given back; undefined where it was ended before.
   */
  endRefund(
    id: number,
    isDone: boolean,
    detail: string,
    note: StepNote,
    isByHand?: boolean,
  ): Promise<number | undefined>;
  /**
   * Takes what requests under way held when money went back (`sendBack`), as far as they hold it no longer. What they have cost meanwhile
   * is spent, and stays missing.
   * @param most what is taken of the balance at most.
   * @returns what was taken of the balance.
   */
  takeHeld(id: number, note: StepNote, most: number): Promise<number>;
  /**
   * Money that had gone back is here again: what it took is given back, once. One that is not known yet is written down, so that what comes
   * later about it takes nothing.
   * @returns the quota that was given back; undefined where it was known before, or there is no such order.
   */
  takeReturned(number: string, step: ReturnStep, note: StepNote): Promise<number | undefined>;
  /** Counts a callback that changed nothing. @returns how often there was one like it. */
  noteFault(fault: Omit<PaymentFaultRecord, "count" | "firstAt">): Promise<number>;
  /** Open orders of which the provider was not asked since `before`, the longest first; they count as asked now. */
  claimOpen(before: number, now: number, limit: number): Promise<OrderRecord[]>;
}

export interface PriceDraftQueries {
  /** The newest first. */
  all(): Promise<PriceDraftRecord[]>;
  find(id: number): Promise<PriceDraftRecord | undefined>;
  /** Scheduled ones whose time has come, in the order of their times. */
  due(now: number): Promise<PriceDraftRecord[]>;
  /** The last rehearsal of a draft; undefined before the first one. */
  rehearsal(id: number): Promise<RehearsalRecord | undefined>;
}

/** A caller that changes a draft says which revision it has seen: @throws StorageConflict "not-found" or "price-draft-changed". */
export interface PriceDraftChanges {
  create(draft: NewPriceDraftRecord): Promise<PriceDraftRecord>;
  /** Changes a draft that is neither scheduled nor published. */
  change(
    id: number,
    revision: number,
    change: Pick<PriceDraftRecord, "name" | "changes" | "base">,
    at: number,
  ): Promise<PriceDraftRecord>;
  /** Brings a draft from one of some states to another one. */
  move(
    id: number,
    revision: number,
    from: readonly PriceDraftState[],
    to: Pick<PriceDraftRecord, "state" | "holdsFrom" | "fault">,
    at: number,
  ): Promise<PriceDraftRecord>;
  /**
   * Makes all that a draft changes the options, at one moment and as one change of the prices, exactly once.
   * @param counter the option that counts changes of prices.
   * @returns every option that was ever saved, as they stand with it; secrets in clear: for the server only.
   * @throws StorageConflict moreover "prices-changed" where an option is not what it was thought to be.
   */
  publish(
    id: number,
    revision: number,
    options: readonly PublishedOption[],
    counter: string,
    at: number,
  ): Promise<Option[]>;
  /** Deletes one that is neither open nor scheduled. @returns false where there is no such draft. */
  remove(id: number): Promise<boolean>;
  /** @param silentSince a running rehearsal that was silent since before has ended with its process. @returns false while one runs. */
  beginRehearsal(id: number, text: string, now: number, silentSince: number): Promise<boolean>;
  /** Writes down how far a running one is, or how it ended. @returns false where it was cancelled. */
  noteRehearsal(id: number, state: string, text: string, now: number): Promise<boolean>;
  /** @returns false where none runs. */
  cancelRehearsal(id: number): Promise<boolean>;
}

/** Queries of the accounts; a slow one delays no change. */
export interface AccountQueries {
  users: UserQueries;
  sessions: SessionQueries;
  tokens: TokenQueries;
  channels: ChannelQueries;
  options: OptionQueries;
  redemptions: RedemptionQueries;
  ledger: LedgerQueries;
  commissions: CommissionQueries;
  audit: AuditQueries;
  notices: NoticeQueries;
  plans: PlanQueries;
  orders: OrderQueries;
  priceDrafts: PriceDraftQueries;
  reconciliations: ReconciliationQueries;
}

/**
 * Changes of the accounts, done and answered in the order of the calls, and after all charges of before. Each is answered when it is
 * committed: code that takes changes over in memory relies on that order. For the lines that the log has of one, its readers wait.
 */
export interface AccountChanges {
  users: UserChanges;
  sessions: SessionChanges;
  tokens: TokenChanges;
  channels: ChannelChanges;
  options: OptionChanges;
  redemptions: RedemptionChanges;
  commissions: CommissionChanges;
  verifications: VerificationChanges;
  audit: AuditChanges;
  notices: NoticeChanges;
  plans: PlanChanges;
  orders: OrderChanges;
  priceDrafts: PriceDraftChanges;
  reconciliations: ReconciliationChanges;
}

/** Where charges become durable. */
export interface ChargeStore {
  /** True while charges cannot be stored: what is begun meanwhile might not be chargeable. */
  readonly isFailing: boolean;
  /**
   * Stores a batch. One at a time: the next when this one is done.
   * @param changes payers with what is taken from them. @param entries what the log will say. Both as encodeCharges gives them.
   * @param done called when it is durable, or with the error that prevented it.
   */
  append(changes: string, entries: string, done: (error: Error | undefined) => void): void;
}

/** Queries of what charges do not change: they wait for nothing, all others until every charge is in the accounts. */
export const UNCHARGED_QUERIES: SomeOf<AccountQueries> = {
  sessions: "all",
  options: "all",
  redemptions: "all",
  commissions: "all",
  ledger: ["page", "before"],
  audit: "all",
  priceDrafts: "all",
  notices: ["targets", "sent", "open", "remindBelow"],
  plans: ["all", "find", "page", "due", "endingSoon", "followerOf", "lastPeriod", "parked"],
  orders: "all",
  reconciliations: "all",
};

/** What the log says of a request; what was charged for it is added where that is known. */
export type ChargeEntry = Omit<RequestEntry, "requestId" | "userId" | "quota" | "count">;

/** A batch with all that is written beside it: texts, which a thread is sent fastest. */
export interface PreparedBatch extends ChargeBatch {
  /** What is booked of it, which the two texts are about, unless something else is found. */
  readonly expected: readonly BookedCharge[];
  /** What changes, and what the log will say, as encodeCharges gives them. */
  readonly changes: string;
  readonly entries: string;
}

/** Rows that batches of charges change, by their ids. */
export interface ChargedRows {
  readonly users: readonly number[];
  readonly tokens: readonly number[];
  readonly channels: readonly number[];
}

/** Books batches, of which each knows beforehand what it will come to. */
export interface Bookings {
  /**
   * Books a batch (see `Leases`).
   * @returns `unlike` where something else than was expected is to be booked, which it says; "held up" where another transaction keeps a row
   * locked: then nothing was written.
   * @throws ChargesRefused
   */
  book(
    batch: PreparedBatch,
    remindBelow?: number,
  ): Promise<BatchBooked | { readonly unlike: readonly BookedCharge[] } | "held up">;
  /** Those of rows that another transaction keeps locked now. It waits for none of them. */
  lockedOf(rows: ChargedRows): Promise<ChargedRows>;
  /** Resolves when the database answers. @throws DatabaseRefused where it does not. */
  reach(): Promise<void>;
}

/**
 * What several nodes ask of the accounts that they share (docs/decisions/0013-leases.md). Each is done or not at all, may be asked at the
 * same time as others, and again by a node that got no answer.
 */
export interface Leases {
  /**
   * Begins the time of a node, where the database answers wishes and charges, too.
   * @param about what it tells of itself, until it tells something else.
   */
  join(about: NodeReport): Promise<NodeJoined>;
  /**
   * Makes a node's time longer, counted from when the database heard of it. Rejects where wishes or charges find no connection: the
   * node must not admit what it cannot charge.
   */
  renew(epoch: number, about: NodeReport): Promise<NodeRenewed | EpochOver>;
  /** Ends the time of nodes that were silent for too long: their leases go back. @returns their epochs. */
  expire(): Promise<number[]>;
  /** Ends the time of a node that stops. */
  leave(epoch: number): Promise<void>;
  /** Takes of an account into a node's lease what a wish is granted. */
  acquire(wish: LeaseWish): Promise<LeaseGrant | EpochOver>;
  /** @returns undefined when it was given back, now or before. */
  giveBack(change: LeaseReturn): Promise<EpochOver | undefined>;
  /**
   * Books charges of answered requests, each once, with what is added up of them and their lines of the log. Where their epoch
   * is over, all of it is taken straight from the accounts, as far as they go.
   * @param entryOf what the log says of a charge, as it was booked; it may be asked more than once.
   * @param remindBelow balances that fall below it, or to nothing, are named in the answer.
   */
  book(
    batch: ChargeBatch,
    entryOf: (booked: BookedCharge) => ChargeEntry,
    remindBelow?: number,
  ): Promise<BatchBooked>;
  /**
   * Takes a charge back, once, of which nothing was delivered; one that is not known changes nothing.
   * @param entryOf what the log says of it. Its quota there is less than 0.
   */
  refund(requestId: string, entryOf: (booked: BookedCharge) => ChargeEntry): Promise<void>;
  /**
   * Sets a balance.
   * @param linesOf what the log says of it, where it was moved: what there was before, and after, leased or not.
   * @param movement what the ledger says of it.
   * @throws StorageConflict for a balance that would be too large.
   */
  edit(
    edit: BalanceEdit,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditDone>;
  /**
   * Asks the nodes to give back what they lease of an account and do not need. @returns how much they lease of it still.
   */
  recall(account: AccountId): Promise<number>;
}

/** A node that has a row, as the database knows it. */
export interface NodeRow {
  readonly epoch: number;
  /** What it told of itself, as far as this version understands it. */
  readonly about: NodeReport;
  /** When it was last heard of: unix seconds, and milliseconds before the answer, by the database's clock. */
  readonly heardAt: number;
  readonly silentMs: number;
  /** Of how many users and keys it leases something. */
  readonly leasedUsers: number;
  readonly leasedKeys: number;
  /** What it leases of the balances of users; at most the greatest whole number that is exact. */
  readonly leasedQuota: number;
}

/** The nodes that share a database. */
export interface NodeQueries {
  /** All that have a row, in the order in which they joined. */
  all(): Promise<NodeRow[]>;
}

/** Who takes over what other nodes, and this one, have changed (docs/decisions/0016-change-feed.md). */
export interface ChangeFollower {
  /**
   * Takes changes over, in the order of their commits. They are handed over once each, and the next when this is done; where it
   * fails, the same again.
   */
  onChanges(changes: readonly Change[]): Promise<void>;
  /** Anything may have been changed: this node was away for longer than changes are kept, or another one says so. */
  onEverything(): Promise<void>;
  /** Another node asks that an account's lease be given back. */
  onRecall(recall: LeaseRecall): void;
  /** Told once of each outage. */
  reportError(error: Error): void;
}

/** How far a node has taken over what was changed. */
export interface FeedState {
  /** False while the database does not answer; changes are not heard of then. */
  isConnected: boolean;
  /** The newest change that this node has in memory. */
  number: number;
  /** How long the newest change took from its commit until it was in memory, in milliseconds; undefined before the first. */
  lagMs: number | undefined;
  /** How long ago it was that nothing was left to take over, in milliseconds: below two seconds while all is well. */
  behindMs: number;
}

/** What was changed in a database that several nodes share. Changes are handed over from the opening on. */
export interface ChangeFeed {
  /** Begins to hand over. */
  follow(follower: ChangeFollower): void;
  /**
   * Waits until all that was committed before this call is in memory, or for a second at most: for what a client was given by
   * another node a moment ago. However many wait, they share a look at the database.
   * @param isKnown whether who waits is known here. For others the database is looked at ten times a second at most.
   * @returns false when that was not done in time.
   */
  catchUp(isKnown: boolean): Promise<boolean>;
  state(): FeedState;
  /** False behind a pooler that swallows NOTIFY: changes are then found by looking, and recalls of leases are lost. */
  readonly hearsAtOnce: boolean;
  /** Whether nothing was taken over for so long that what is in memory is no ground to let a request in. */
  isDeaf(): boolean;
  close(): Promise<void>;
}
