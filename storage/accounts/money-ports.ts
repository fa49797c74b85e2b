import type { CommissionSort, InvitedSort, PayoutSort } from "@tollgate/contract/api/invitations";
import type { LedgerEntry, LedgerFilter, LedgerSort } from "@tollgate/contract/api/ledger";
import type { OrderSort, OrderTotal } from "@tollgate/contract/api/orders";
import type { ReconciliationSort } from "@tollgate/contract/api/reconciliations";
import type {
  Redemption,
  RedemptionFilter,
  RedemptionSort,
  RedemptionUseSort,
} from "@tollgate/contract/api/redemptions";
import type { BalanceMovement } from "@tollgate/contract/management/reconciliation";
import type {
  Commission,
  CommissionRule,
  CommissionSummary,
  InvitedUser,
  Payout,
  PayoutState,
} from "@tollgate/contract/records/commission-record";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";
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
  NewBalanceMovement,
  NewReconciliation,
  ReconciliationRecord,
} from "@tollgate/contract/records/reconciliation-record";
import type {
  NewRedemption,
  RedemptionChange,
  RedemptionUse,
} from "@tollgate/contract/records/redemption-record";
import type {
  NewRequestRefund,
  RequestRefund,
  RequestRefundOutcome,
  UserRefunds,
} from "@tollgate/contract/records/request-refund-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";

/* What the accounts store does with money: codes, the ledger, commissions, orders and reconciliations. Offsets and limits count rows; times are unix seconds. */

export interface RedemptionQueries {
  /**
   * Returns one page, the newest first by default.
   * @param keyword finds codes of which the id is this or the name begins with it.
   */
  page(
    offset: number,
    limit: number,
    sort?: ListSort<RedemptionSort>,
    filter?: RedemptionFilter,
    keyword?: string,
  ): Promise<Redemption[]>;
  /** Codes with ids below `id`, the newest first; `keyword` as of `page`. */
  before(id: number, limit: number, keyword?: string, filter?: RedemptionFilter): Promise<Redemption[]>;
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
   * @throws StorageConflict "not-found", or "redemption-used": a paid out quota cannot be changed afterwards.
   */
  change(id: number, change: RedemptionChange): Promise<Redemption>;
  /** @returns false when there is no such code. */
  remove(id: number): Promise<boolean>;
  /**
   * Redeems a code, each user once: counts the use, adds its quota to the user and writes the log line, all or none.
   * @param amount how the log line says the amount. @param commission the rule for the inviter's commission.
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
    commission?: CommissionRule,
  ): Promise<number>;
}

/** Quota that entries of one cause moved. */
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
  /** Quota that it used and the log does not have. */
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
   * Returns the movements of a user's balance, by cause, in a range: unix seconds, `end` excluded.
   * @param end undefined for no end.
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

/** Refunds of a key's requests within an hour. */
export interface RefundedSince {
  readonly userId: number;
  readonly tokenId: number;
  /** The hour's start, unix seconds. */
  readonly from: number;
  readonly quota: number;
}

/** Refunds of requests; times are those of the refunds, as in the log and the ledger. */
export interface RequestRefundQueries {
  find(requestId: string): Promise<RequestRefund | undefined>;
  /** Refunds of a user's requests in a range: unix seconds, `end` excluded. */
  ofUser(userId: number, from: number, end: number): Promise<UserRefunds>;
  /** Refunds of each key's requests by the hour, from the start of the hour of a moment on. */
  since(moment: number): Promise<RefundedSince[]>;
}

export interface RequestRefundChanges {
  /**
   * Refunds a charged request, once: the balance with its entry in the ledger, the key's use and limit, the channel's
   * use, and the log's line, all or none.
   * @throws StorageConflict "not-found" for a deleted user, "favour-refused", "balance-too-large"
   */
  refund(wanted: NewRequestRefund): Promise<RequestRefundOutcome>;
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
  /** Returns one page of the commissions of all users, the newest first. */
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
  /** Decides a request, once. @returns undefined when there is no undecided request of this id. */
  decide(
    id: number,
    state: "paid" | "declined",
    by: { actorId: number; reason: string; at: number },
  ): Promise<Payout | undefined>;
}

export interface ReconciliationQueries {
  /** One page, the newest first. Each has all of its rows, which may be megabytes. */
  page(offset: number, limit: number, sort?: ListSort<ReconciliationSort>): Promise<ReconciliationRecord[]>;
  find(id: number): Promise<ReconciliationRecord | undefined>;
  /**
   * Returns the balances read of a channel and the payments to its upstream, in the order of time; limited to the
   * newest.
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
  /** Count and money of orders by state and currency; a sum beyond a safe integer is the greatest one. */
  totals(filter: OrderFilter): Promise<OrderTotal[]>;
  /** An order's refunds, the oldest first. */
  refunds(orderId: number): Promise<RefundRecord[]>;
  /** Refunds of which the provider has not said yet whether it made them, with their orders, the oldest first. */
  asking(limit: number): Promise<{ order: OrderRecord; refund: RefundRecord }[]>;
  /** Returns refunds whose quota requests under way still held, with their orders, the oldest first. */
  taking(limit: number): Promise<{ order: OrderRecord; refund: RefundRecord }[]>;
  /** Refunds that a person has to send, with their orders, the oldest first. */
  byHand(limit: number): Promise<{ order: OrderRecord; refund: RefundRecord }[]>;
  /** Returns faults of callbacks, of one order or of all, the newest first. */
  faults(orderId: number | undefined, limit: number): Promise<PaymentFaultRecord[]>;
}

/**
 * Purchases of users. A step is decided under the lock of its order's row (contract/payments/order-machine.ts), with
 * the money that it moves.
 */
export interface OrderChanges {
  /** @param most how many orders a user may have open. @returns undefined when there are as many. */
  create(order: NewOrder, most: number): Promise<OrderRecord | undefined>;
  /** Stores how an order is paid. @param checkout the provider's id of the checkout. */
  begin(id: number, checkout: string, pay: OrderCheckout): Promise<void>;
  /** A step that gives quota, or changes a state alone. @returns undefined when there is no such order. */
  step(number: string, step: ForwardStep, note: StepNote): Promise<StepOutcome | undefined>;
  /**
   * Books money that went back at the provider. Its quota is taken from the unspent price of the plan that was ended
   * for it, then from the buyer's own money, as far as that covers it.
   * @param most maximum taken from the balance.
   * @param unspent unspent price of the order's ended plan, in all; the part above the refund's quota is added to the
   *   balance.
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
   * Starts a refund of the unspent quota: takes it and returns the refund.
   * @param reference of the refund. @param most maximum taken from the balance. @param unspent as for `sendBack`.
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
   * Ends a refund that was requested of the provider. A refused refund returns the quota that it took.
   * @param isByHand an administrator, named in the note, settles it. This also ends a refund that a person has to send,
   *   and later reports of the provider move nothing.
   * @returns the returned quota; undefined when the refund had already ended.
   */
  endRefund(
    id: number,
    isDone: boolean,
    detail: string,
    note: StepNote,
    isByHand?: boolean,
  ): Promise<number | undefined>;
  /**
   * Takes the quota that requests under way held when money went back (`sendBack`), as far as they have released it.
   * The quota that they were charged meanwhile is spent, and stays missing.
   * @param most maximum taken from the balance.
   * @returns the quota taken from the balance.
   */
  takeHeld(id: number, note: StepNote, most: number): Promise<number>;
  /**
   * Books returned money that has come back: the quota that it took is returned, once. An unknown return is stored, so
   * that a later report of it takes nothing.
   * @returns the returned quota; undefined when it was known before, or there is no such order.
   */
  takeReturned(number: string, step: ReturnStep, note: StepNote): Promise<number | undefined>;
  /** Counts a callback that changed nothing. @returns how often there was one like it. */
  noteFault(fault: Omit<PaymentFaultRecord, "count" | "firstAt">): Promise<number>;
  /** Open orders of which the provider was not asked since `before`, the longest first; they count as asked now. */
  claimOpen(before: number, now: number, limit: number): Promise<OrderRecord[]>;
}
