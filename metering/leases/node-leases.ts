import type {
  AccountId,
  BalanceEdit,
  BatchBooked,
  BookedCharge,
  ChargeBatch,
  EditDone,
  EpochOver,
  LeaseCharge,
  LeaseGrant,
  LeaseRecall,
  LeaseReturn,
  LeaseWish,
  NodeJoined,
  NodeRenewed,
  RefusedCharge,
} from "@tollgate/contract/records/lease";
import { type Hold, hold } from "../ledger";
import { ChargeQueue } from "./charge-queue";
import { decideHold, type LeaseRefusal } from "./decide-hold";
import {
  addGrant,
  covers,
  endWindow,
  forget,
  type Lease,
  noteUse,
  planReturn,
  planWish,
  spareOf,
  type WaitingHold,
} from "./lease";
import { Liveness } from "./liveness";

/** Time for other nodes to return unneeded quota, before a hold is refused. */
export const RECALL_FOR_MS = 300;

/** Additional time to wait for the database's answer. */
const ANSWER_FOR_MS = 2000;

/** Retry interval while other nodes return quota. */
const RETRY_MS = 30;

/** Time during which a node leaves returned quota to others: enough for their next try. */
const YIELD_MS = 3 * RETRY_MS;

/** A command without an answer is sent again. */
export const RESEND_MS = 1000;

/** Retry interval of a charge when another transaction locks its row. */
const HELD_UP_RETRY_MS = 500;

/**
 * When a user's charges are delayed for longer, the user's new requests are refused: they could not be charged either.
 */
const HELD_UP_MS = 3000;

/** Interval of the search for idle leases. */
const SWEEP_MS = 500;

/**
 * Commands to the database, and results for waiting callers. Each command is answered by the method of `NodeLeases`
 * that its line names, or never.
 */
export interface LeaseEffects {
  /** → `joined` @param askedAt to be handed back with the answer. */
  join(askedAt: number): void;
  /** → `renewed` */
  renew(epoch: number, askedAt: number): void;
  /** No caller waits for the answer. */
  expire(): void;
  /** → `acquired` */
  acquire(wish: LeaseWish): void;
  /** → `gaveBack` */
  giveBack(change: LeaseReturn): void;
  /** → `booked` */
  book(batch: ChargeBatch): void;
  /** → `refunded` */
  refund(requestId: string): void;
  /** → `edited` */
  edit(edit: BalanceEdit): void;
  /** → `left` */
  leave(epoch: number): void;
  /** A hold that waited is placed or refused. */
  decided(waiting: WaitingHold, outcome: Hold | LeaseRefusal): void;
  /** A charge is committed: the last byte of its answer may leave. */
  committed(charge: BookedCharge): void;
  /** A charge will never be booked: no quota was taken for it, and its leased quota comes back with the lease. */
  refused(charge: RefusedCharge): void;
  /** A charge is not booked yet, because another transaction keeps a row of it locked; it is sent again, and others are not held up. */
  heldUp(requestId: string): void;
  /**
   * An edit is done.
   * @param moved the movement; less than requested when holds kept the rest. @param balance the balance afterwards.
   */
  editDone(id: string, moved: number, balance: number): void;
}

/** The sum of a node's current leases. */
export interface LeasedSum {
  readonly accounts: number;
  /** Of the balances of users: quota, and the held part of it. */
  readonly quota: number;
  readonly held: number;
}

const numberBefore = ({ user, userNumber, keyNumber }: WaitingHold, lease: Lease): number =>
  lease === user ? userNumber : keyNumber;

interface PendingRefund {
  isBooked: boolean;
  sentAt: number | undefined;
}

/** A charge that waits for another transaction's lock. */
interface HeldUpCharge {
  readonly epoch: number;
  readonly charge: LeaseCharge;
  readonly retryAt: number;
}

interface PendingEdit {
  edit: BalanceEdit;
  readonly recallUntil: number;
  sentAt: number | undefined;
  nextTryAt: number;
}

/**
 * One node's rules for its leases: requests to the database, returns, admission, and the meaning of silence. It has no
 * effects of its own: it receives events with a monotonic clock in milliseconds, and issues commands
 * (docs/decisions/0013-leases.md). Holds, settlements and releases are the ledger's (`metering/ledger.ts`), on leases
 * instead of balances.
 */
export class NodeLeases {
  /** Leases that may have quota or holds. */
  private readonly leased = new Set<Lease>();
  /** Leases with a change in progress, or with waiting holds; also of removed accounts. */
  private readonly busy = new Map<AccountId, Lease>();
  private readonly charges: ChargeQueue;
  /** Charges that wait for another transaction's lock, in the order of their next tries. */
  private heldUp: HeldUpCharge[] = [];
  /** Users with a charge that was held up and not booked since: from when on. */
  private readonly heldUpSince = new Map<AccountId, number>();
  private readonly refunds = new Map<string, PendingRefund>();
  private readonly edits = new Map<string, PendingEdit>();
  /** The newest epoch, also when it is over: charges name it. */
  private newestEpoch = 0;
  private sweepAt = 0;
  private isStopping = false;
  private leaveSentAt: number | undefined;
  /** Whether it returned everything at a graceful stop. */
  hasLeft = false;

  /**
   * @param find the lease of an account, if this node knows the account.
   * @param gatherMs minimum time between two batches of charges.
   */
  constructor(
    private readonly find: (account: AccountId) => Lease | undefined,
    private readonly effects: LeaseEffects,
    readonly liveness: Liveness = new Liveness(),
    gatherMs = 0,
  ) {
    this.charges = new ChargeQueue(gatherMs);
  }

  /** Time at which `sendCharges` has work: until then charges are collected. */
  get chargesDueAt(): number | undefined {
    return this.charges.dueAt;
  }

  /** Whether no commands to the database are pending except renewals. */
  get isIdle(): boolean {
    if (!this.charges.isEmpty || this.heldUp.length + this.edits.size + this.refunds.size > 0) return false;
    for (const lease of this.busy.values()) if (lease.change || lease.waiting.length > 0) return false;
    return true;
  }

  /** The sum of this node's current leases; iterates over all of them. */
  sum(): LeasedSum {
    let accounts = 0;
    let quota = 0;
    let held = 0;
    for (const lease of this.leased) {
      if (lease.quota === 0 && lease.held === 0) continue;
      accounts += 1;
      if (!lease.account.startsWith("user:")) continue;
      quota += lease.quota;
      held += lease.held;
    }
    return { accounts, quota, held };
  }

  isAdmitting(now: number): boolean {
    return !this.isStopping && this.liveness.isAdmitting(now);
  }

  /**
   * Places a hold, on the user and on the key. If both leases cover `most`, the database is not queried.
   * @param least the required minimum. @param most the desired quota, limited by the available balance.
   * @returns the wait for the database; `decided` reports its result.
   */
  hold(user: Lease, key: Lease, least: number, most: number, now: number): Hold | LeaseRefusal | WaitingHold {
    if (!this.isAdmitting(now)) return "node-not-admitting";
    if (this.heldUpSince.size > 0 && this.isHeldUp(user, now)) return "database-silent";
    const wanted = Math.max(least, most);
    if (covers(user, wanted) && covers(key, wanted)) return this.place(user, key, least, wanted);
    const waiting: WaitingHold = {
      user,
      key,
      least,
      most: wanted,
      recallUntil: now + RECALL_FOR_MS,
      giveUpAt: now + RECALL_FOR_MS + ANSWER_FOR_MS,
      userNumber: user.number,
      keyNumber: key.number,
    };
    for (const lease of [user, key]) {
      lease.waiting.push(waiting);
      lease.nextTryAt = now;
      this.busy.set(lease.account, lease);
      this.wish(lease, now);
    }
    return waiting;
  }

  /**
   * Notes a charge that the ledger has just taken from the lease, in the same turn of the event loop: a batch names the epoch
   * of the lease that was charged.
   */
  charge(charge: LeaseCharge, now: number): void {
    this.noteCharged(charge.user, charge.quota);
    if (charge.key) this.noteCharged(charge.key, charge.keyQuota);
    this.charges.add(this.liveness.epoch ?? this.newestEpoch, charge);
    this.sendCharges(now);
  }

  /**
   * Reverses a charge that is not committed yet, of an answer that was and will be not delivered at all. The database
   * may have it already, so it is booked first and then reversed, without calling `committed`.
   */
  refund(requestId: string): void {
    this.refunds.set(requestId, { isBooked: false, sentAt: undefined });
  }

  /**
   * Sets a balance; if nodes lease too much of it, they are asked to return quota first.
   * @param id permanent identifier of this edit. @param wanted the new balance, leased or not.
   */
  edit(id: string, account: AccountId, wanted: number, now: number): void {
    const edit = { id, account, wanted, isLast: false };
    this.edits.set(id, { edit, recallUntil: now + RECALL_FOR_MS, sentAt: undefined, nextTryAt: now });
    this.sendEdits(now);
  }

  /** Gives an edit up; whether it was done is not known. */
  forgetEdit(id: string): void {
    this.edits.delete(id);
  }

  /** Starts a graceful stop: no more admissions; when all holds are ended and all charges committed, it leaves. */
  stop(now: number): void {
    this.isStopping = true;
    this.review(now);
  }

  /** Runs due work; must be called about twenty times a second. */
  tick(now: number): void {
    if (this.hasLeft) return;
    this.keepAlive(now);
    this.review(now);
    for (const lease of this.busy.values()) this.pursue(lease, now);
    this.queueHeldUp(now);
    this.sendCharges(now);
    this.sendRefunds(now);
    this.sendEdits(now);
    if (now >= this.sweepAt) this.sweep(now);
    if (this.isStopping) this.leaveIfDone(now);
  }

  joined(askedAt: number, { epoch }: NodeJoined, now: number): void {
    // A second answer, or one to a question that was repeated: that row is not used, and ends by itself.
    if (this.liveness.epoch !== undefined || epoch <= this.newestEpoch || this.hasLeft) return;
    this.newestEpoch = epoch;
    this.liveness.begin(epoch, askedAt);
    this.tick(now);
  }

  renewed(epoch: number, askedAt: number, reply: NodeRenewed | EpochOver, now: number): void {
    if (epoch !== this.liveness.epoch) return;
    if (reply === "epoch-over") this.endEpoch(now);
    else this.liveness.extend(askedAt, reply);
  }

  acquired(wish: LeaseWish, reply: LeaseGrant | EpochOver, now: number): void {
    const lease = this.finishChange(wish);
    if (!lease) return;
    if (reply === "epoch-over") {
      this.endEpoch(now);
      return;
    }
    addGrant(lease, wish, reply);
    this.leased.add(lease);
    // Holds that arrived meanwhile are requested immediately; returns by other nodes take some time.
    const isNew = lease.waiting.some((waiting) => numberBefore(waiting, lease) >= wish.number);
    lease.nextTryAt = isNew ? now : now + RETRY_MS;
    this.reviewLease(lease, now);
    this.pursue(lease, now);
  }

  gaveBack(change: LeaseReturn, reply: EpochOver | undefined, now: number): void {
    const lease = this.finishChange(change);
    if (!lease) return;
    if (reply === "epoch-over") this.endEpoch(now);
    else this.pursue(lease, now);
  }

  booked(batch: ChargeBatch, reply: BatchBooked, now: number): void {
    if (!this.charges.finish(batch)) return;
    this.noteHeldUp(batch, new Set(reply.heldUp), now);
    for (const charge of reply.booked) {
      const refund = this.refunds.get(charge.requestId);
      if (refund) refund.isBooked = true;
      else this.effects.committed(charge);
    }
    for (const charge of reply.refused ?? []) {
      this.refunds.delete(charge.requestId);
      this.effects.refused(charge);
    }
    if (this.refunds.size > 0) this.sendRefunds(now);
    if (reply.isLate && batch.epoch === this.liveness.epoch) this.endEpoch(now);
    this.sendCharges(now);
  }

  refunded(requestId: string): void {
    this.refunds.delete(requestId);
  }

  edited({ id, isLast }: BalanceEdit, { moved, balance }: EditDone, now: number): void {
    const pending = this.edits.get(id);
    if (!pending) return;
    if (moved !== undefined) {
      this.edits.delete(id);
      this.effects.editDone(id, moved, balance);
    } else if (isLast === pending.edit.isLast) {
      pending.sentAt = undefined;
      pending.nextTryAt = now + RETRY_MS;
    }
  }

  left(): void {
    this.hasLeft = true;
    this.liveness.end();
  }

  /** Another node, or an edit, needs quota that this node does not. */
  recalled({ account, epoch }: LeaseRecall, now: number): void {
    if (epoch === this.liveness.epoch) return;
    const lease = this.find(account);
    if (!lease) return;
    lease.recalledAt = now;
    lease.recalledBy = Math.min(lease.recalledBy ?? Number.POSITIVE_INFINITY, epoch ?? 0);
    this.pursue(lease, now);
  }

  private isHeldUp({ account }: Lease, now: number): boolean {
    const since = this.heldUpSince.get(account);
    return since !== undefined && now - since >= HELD_UP_MS;
  }

  /** Keeps those of an answered batch that another transaction's lock holds up. */
  private noteHeldUp({ epoch, charges }: ChargeBatch, requestIds: ReadonlySet<string>, now: number): void {
    if (requestIds.size + this.heldUpSince.size === 0) return;
    for (const { requestId, user } of charges) if (!requestIds.has(requestId)) this.heldUpSince.delete(user);
    for (const charge of charges) {
      if (!requestIds.has(charge.requestId)) continue;
      if (!this.heldUpSince.has(charge.user)) this.heldUpSince.set(charge.user, now);
      this.heldUp.push({ epoch, charge, retryAt: now + HELD_UP_RETRY_MS });
      this.effects.heldUp(charge.requestId);
    }
  }

  /** Queues those again that were held up for long enough. */
  private queueHeldUp(now: number): void {
    const due = this.heldUp.findIndex(({ retryAt }) => retryAt > now);
    const queued = due === -1 ? this.heldUp.splice(0) : this.heldUp.splice(0, due);
    for (const { epoch, charge } of queued) this.charges.add(epoch, charge);
  }

  private place(user: Lease, key: Lease, least: number, most: number): Hold | LeaseRefusal {
    const placed = hold(user, key, least, false, most);
    noteUse(user, 0);
    noteUse(key, 0);
    return placed;
  }

  private noteCharged(account: AccountId, quota: number): void {
    const lease = this.find(account);
    if (lease) noteUse(lease, quota);
  }

  private keepAlive(now: number): void {
    const { liveness } = this;
    if (!liveness.isDue(now)) return;
    liveness.noteAsked(now);
    if (liveness.epoch === undefined) {
      if (!this.isStopping) this.effects.join(now);
      return;
    }
    this.effects.renew(liveness.epoch, now);
    if (liveness.mayEndOthers(now)) this.effects.expire();
  }

  /** @returns the lease, or undefined for the answer to an earlier change. */
  private finishChange(change: LeaseWish | LeaseReturn): Lease | undefined {
    const lease = this.busy.get(change.account);
    if (lease?.change !== change) return undefined;
    lease.change = undefined;
    return lease;
  }

  /** Takes the next action for a lease. */
  private pursue(lease: Lease, now: number): void {
    if (lease.change) {
      if (now - lease.sentAt >= RESEND_MS) this.send(lease, lease.change, now);
      return;
    }
    const { epoch } = this.liveness;
    if (lease.recalledBy !== undefined && epoch !== undefined) {
      // The younger of two waits: else one with the user's lease and one with the key's would give and take for ever.
      if (lease.recalledBy < epoch) lease.yieldsUntil = now + YIELD_MS;
      lease.recalledBy = undefined;
      this.giveBack(lease, this.recallable(lease), now);
    }
    this.wish(lease, now);
    if (!lease.change && lease.waiting.length === 0) this.busy.delete(lease.account);
  }

  private wish(lease: Lease, now: number): void {
    const { epoch } = this.liveness;
    if (lease.change || lease.isUnlimited || epoch === undefined || lease.waiting.length === 0) return;
    if (now < lease.nextTryAt || now < lease.yieldsUntil) return;
    const wish = planWish(lease, epoch, now);
    if (wish) this.begin(lease, wish, now);
  }

  /** The quota returned at a recall: not needed by holds. */
  protected recallable(lease: Lease): number {
    return spareOf(lease);
  }

  private giveBack(lease: Lease, quota: number, now: number): void {
    const { epoch } = this.liveness;
    if (quota === 0 || epoch === undefined) return;
    this.begin(lease, planReturn(lease, epoch, quota), now);
  }

  private begin(lease: Lease, change: LeaseWish | LeaseReturn, now: number): void {
    lease.number = change.number;
    lease.change = change;
    lease.askedAt = now;
    this.busy.set(lease.account, lease);
    this.send(lease, change, now);
  }

  private send(lease: Lease, change: LeaseWish | LeaseReturn, now: number): void {
    lease.sentAt = now;
    if ("quota" in change) this.effects.giveBack(change);
    else this.effects.acquire(change);
  }

  /** Sends the charges that wait, unless they are to wait for company. */
  sendCharges(now: number): void {
    const batch = this.charges.next(now, RESEND_MS);
    if (batch) this.effects.book(batch);
  }

  private sendRefunds(now: number): void {
    for (const [requestId, pending] of this.refunds) {
      const isUnderWay = pending.sentAt !== undefined && now - pending.sentAt < RESEND_MS;
      if (!pending.isBooked || isUnderWay) continue;
      pending.sentAt = now;
      this.effects.refund(requestId);
    }
  }

  private sendEdits(now: number): void {
    for (const pending of this.edits.values()) {
      const isUnderWay = pending.sentAt !== undefined && now - pending.sentAt < RESEND_MS;
      if (isUnderWay || now < pending.nextTryAt) continue;
      if (now >= pending.recallUntil) pending.edit = { ...pending.edit, isLast: true };
      pending.sentAt = now;
      this.effects.edit(pending.edit);
    }
  }

  /** Decides the holds that wait, as far as that is possible. */
  private review(now: number): void {
    for (const lease of this.busy.values()) if (lease.waiting.length > 0) this.reviewLease(lease, now);
  }

  private reviewLease(lease: Lease, now: number): void {
    const isAdmitting = this.isAdmitting(now);
    for (let index = 0; index < lease.waiting.length; ) {
      const waiting = lease.waiting[index];
      if (!waiting) return;
      const outcome = isAdmitting ? decideHold(waiting, now) : "node-not-admitting";
      if (outcome === undefined) index += 1;
      else this.conclude(waiting, outcome);
    }
  }

  private conclude(waiting: WaitingHold, outcome: Hold | LeaseRefusal): void {
    const { user, key } = waiting;
    for (const lease of [user, key]) {
      const index = lease.waiting.indexOf(waiting);
      if (index >= 0) lease.waiting.splice(index, 1);
      noteUse(lease, 0);
    }
    this.effects.decided(waiting, outcome);
  }

  /** Returns quota that was idle for a window. */
  private sweep(now: number): void {
    this.sweepAt = now + SWEEP_MS;
    for (const lease of this.leased) {
      const idle = endWindow(lease, now);
      if (idle > 0 && !lease.change && lease.waiting.length === 0) this.giveBack(lease, idle, now);
      if (lease.quota === 0 && lease.held === 0) this.leased.delete(lease);
    }
  }

  /** The database has returned the leased quota to the accounts: it counts as zero from now on. */
  protected endEpoch(now: number): void {
    this.liveness.end();
    for (const lease of this.leased) forget(lease);
    for (const lease of this.busy.values()) forget(lease);
    this.review(now);
    this.keepAlive(now);
  }

  private leaveIfDone(now: number): void {
    const { epoch } = this.liveness;
    if (!this.isIdle) return;
    for (const lease of this.leased) if (lease.held > 0) return;
    if (epoch === undefined) {
      this.hasLeft = true;
      return;
    }
    if (this.leaveSentAt !== undefined && now - this.leaveSentAt < RESEND_MS) return;
    this.leaveSentAt = now;
    this.effects.leave(epoch);
  }
}
