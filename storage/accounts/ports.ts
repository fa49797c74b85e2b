import type {
  Announcement,
  AnnouncementFilter,
  AnnouncementSort,
} from "@tollgate/contract/api/announcements";
import type { Channel, ChannelFilter, ChannelSort } from "@tollgate/contract/api/channels";
import type { CommissionSort, InvitedSort, PayoutSort } from "@tollgate/contract/api/invitations";
import type { LedgerEntry, LedgerFilter, LedgerSort } from "@tollgate/contract/api/ledger";
import type { Option } from "@tollgate/contract/api/options";
import type { OrderSort } from "@tollgate/contract/api/orders";
import type { ReconciliationSort } from "@tollgate/contract/api/reconciliations";
import type {
  Redemption,
  RedemptionFilter,
  RedemptionSort,
  RedemptionUseSort,
} from "@tollgate/contract/api/redemptions";
import type { PriceDraftState } from "@tollgate/contract/management/price-draft";
import type { BalanceMovement } from "@tollgate/contract/management/reconciliation";
import type {
  AnnouncementChange,
  AnnouncementReaders,
  NewAnnouncement,
} from "@tollgate/contract/records/announcement-record";
import type { AuditAction, AuditRecord, AuditSubject } from "@tollgate/contract/records/audit-record";
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
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";
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
  PlanChanges,
  PlanQueries,
  SessionChanges,
  SessionQueries,
  TokenChanges,
  TokenQueries,
  UserChanges,
  UserQueries,
} from "@tollgate/contract/records/people-store";
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
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import type { SomeOf } from "../consistency";

/*
 * What the accounts store does: users, API keys, channels, options, codes, sessions, the audit, and what is charged.
 * Offsets and limits count rows; times are unix seconds.
 */

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
  uses(
    id: number,
    offset: number,
    limit: number,
    sort?: ListSort<RedemptionUseSort>,
  ): Promise<RedemptionUse[]>;
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
  page(
    filter: LedgerFilter,
    offset: number,
    limit: number,
    sort?: ListSort<LedgerSort>,
  ): Promise<LedgerEntry[]>;
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
  invited(
    userId: number,
    offset: number,
    limit: number,
    sort?: ListSort<InvitedSort>,
  ): Promise<InvitedUser[]>;
  /** One page of everybody's commissions, the newest first. */
  commissions(offset: number, limit: number, sort?: ListSort<CommissionSort>): Promise<Commission[]>;
  /** One page of requests to be paid out, the newest first. */
  payouts(
    filter: { userId?: number | undefined; state?: PayoutState | undefined },
    offset: number,
    limit: number,
    sort?: ListSort<PayoutSort>,
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
  page(offset: number, limit: number, sort?: ListSort<ReconciliationSort>): Promise<ReconciliationRecord[]>;
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

export interface OrderQueries {
  find(number: string): Promise<OrderRecord | undefined>;
  /** The order that a provider's payment is for. */
  findByPayment(provider: string, payment: string): Promise<OrderRecord | undefined>;
  /** One page, the newest first. */
  page(
    filter: OrderFilter,
    offset: number,
    limit: number,
    sort?: ListSort<OrderSort>,
  ): Promise<OrderRecord[]>;
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

export interface AnnouncementQueries {
  /** One page, the newest first unless another order is asked for. */
  page(
    offset: number,
    limit: number,
    sort?: ListSort<AnnouncementSort>,
    filter?: AnnouncementFilter,
  ): Promise<Announcement[]>;
  find(id: number): Promise<Announcement | undefined>;
  /** Announcements for these readers that have started and not ended: pinned ones first, then the newest. */
  live(readers: AnnouncementReaders, now: number, limit: number): Promise<Announcement[]>;
  /** One page of the announcements for these readers that have started, the newest first. */
  started(readers: AnnouncementReaders, now: number, offset: number, limit: number): Promise<Announcement[]>;
}

export interface AnnouncementChanges {
  /** @param most how many there may be. @returns undefined when there are as many. */
  create(announcement: NewAnnouncement, most: number): Promise<Announcement | undefined>;
  /** @returns undefined when there is no such announcement. */
  change(id: number, change: AnnouncementChange): Promise<Announcement | undefined>;
  /** @returns false when there is no such announcement. */
  remove(id: number): Promise<boolean>;
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
  announcements: AnnouncementQueries;
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
  announcements: AnnouncementChanges;
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
  announcements: "all",
};
