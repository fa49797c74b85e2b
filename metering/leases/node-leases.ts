import type {
  AccountId,
  BalanceEdit,
  BatchBooked,
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
} from "@tollgate/contract/records/lease";
import { type Hold, hold } from "../ledger";
import { decideHold, type LeaseRefusal } from "./decide-hold";
import {
  addGrant,
  covers,
  endWindow,
  forget,
  type Lease,
  type LeasedSum,
  noteUse,
  planReturn,
  planWish,
  RECALL_FOR_MS,
  RETRY_MS,
  spareOf,
  sumLeases,
  type WaitingHold,
} from "./lease";
import { type LeaseEffects, RESEND_MS } from "./lease-effects";
import { Liveness } from "./liveness";
import { PendingCharges } from "./pending-charges";
import { PendingEdits } from "./pending-edits";

/** Additional time to wait for the database's answer. */
const ANSWER_FOR_MS = 2000;

/** Time during which a node leaves returned quota to others: enough for their next try. */
const YIELD_MS = 3 * RETRY_MS;

/** Interval of the search for idle leases. */
const SWEEP_MS = 500;

const numberBefore = ({ user, userNumber, keyNumber }: WaitingHold, lease: Lease): number =>
  lease === user ? userNumber : keyNumber;

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
  private readonly charges: PendingCharges;
  private readonly edits: PendingEdits;
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
    this.charges = new PendingCharges(effects, gatherMs);
    this.edits = new PendingEdits(effects);
  }

  /** Time at which `sendCharges` has work: until then charges are collected. */
  get chargesDueAt(): number | undefined {
    return this.charges.dueAt;
  }

  /** Sends the charges that wait, unless they are to wait for company. */
  sendCharges(now: number): void {
    this.charges.send(now);
  }

  /** Whether no commands to the database are pending except renewals. */
  get isIdle(): boolean {
    if (!this.charges.isEmpty || !this.edits.isEmpty) return false;
    for (const lease of this.busy.values()) if (lease.change || lease.waiting.length > 0) return false;
    return true;
  }

  /** The sum of this node's current leases; iterates over all of them. */
  sum(): LeasedSum {
    return sumLeases(this.leased);
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
    if (this.charges.isHeldUp(user.account, now)) return "database-silent";
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
    this.charges.add(this.liveness.epoch ?? this.newestEpoch, charge, now);
  }

  /**
   * Reverses a charge that is not committed yet, of an answer that was and will be not delivered at all. The database
   * may have it already, so it is booked first and then reversed, without calling `committed`.
   */
  refund(requestId: string): void {
    this.charges.refund(requestId);
  }

  /**
   * Sets a balance; if nodes lease too much of it, they are asked to return quota first.
   * @param id permanent identifier of this edit. @param wanted the new balance, leased or not.
   */
  edit(id: string, account: AccountId, wanted: number, now: number): void {
    this.edits.add(id, account, wanted, now);
  }

  /** Gives an edit up; whether it was done is not known. */
  forgetEdit(id: string): void {
    this.edits.forget(id);
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
    this.charges.tick(now);
    this.edits.send(now);
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
    if (!this.charges.booked(batch, reply, now)) return;
    if (reply.isLate && batch.epoch === this.liveness.epoch) this.endEpoch(now);
    this.charges.send(now);
  }

  refunded(requestId: string): void {
    this.charges.refunded(requestId);
  }

  edited(edit: BalanceEdit, done: EditDone, now: number): void {
    this.edits.edited(edit, done, now);
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
