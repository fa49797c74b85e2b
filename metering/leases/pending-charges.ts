import type { AccountId, BatchBooked, ChargeBatch, LeaseCharge } from "@tollgate/contract/records/lease";
import { ChargeQueue } from "./charge-queue";
import { type LeaseEffects, RESEND_MS } from "./lease-effects";

/** Retry interval of a charge when another transaction locks its row. */
const HELD_UP_RETRY_MS = 500;

/**
 * When a user's charges are delayed for longer, the user's new requests are refused: they could not be charged either.
 */
const HELD_UP_MS = 3000;

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

/**
 * One node's charges that are not acknowledged yet: sent in batches until they are booked, held back while another
 * transaction locks their rows, and reversed where nothing was delivered.
 */
export class PendingCharges {
  private readonly queue: ChargeQueue;
  /** Charges that wait for another transaction's lock, in the order of their next tries. */
  private heldUp: HeldUpCharge[] = [];
  /** Users with a charge that was held up and not booked since: from when on. */
  private readonly heldUpSince = new Map<AccountId, number>();
  private readonly refunds = new Map<string, PendingRefund>();

  /** @param gatherMs minimum time between two batches. */
  constructor(
    private readonly effects: Pick<LeaseEffects, "book" | "refund" | "committed" | "refused" | "heldUp">,
    gatherMs: number,
  ) {
    this.queue = new ChargeQueue(gatherMs);
  }

  get isEmpty(): boolean {
    return this.queue.isEmpty && this.heldUp.length + this.refunds.size === 0;
  }

  /** Time at which `send` has work: until then charges are collected. */
  get dueAt(): number | undefined {
    return this.queue.dueAt;
  }

  /** Whether this user's charges are delayed for so long that new requests could not be charged either. */
  isHeldUp(user: AccountId, now: number): boolean {
    const since = this.heldUpSince.get(user);
    return since !== undefined && now - since >= HELD_UP_MS;
  }

  /** @param epoch in which the lease was charged. */
  add(epoch: number, charge: LeaseCharge, now: number): void {
    this.queue.add(epoch, charge);
    this.send(now);
  }

  /** Reverses a charge once it is booked. */
  refund(requestId: string): void {
    this.refunds.set(requestId, { isBooked: false, sentAt: undefined });
  }

  /** Sends the charges that wait, unless they are to wait for company. */
  send(now: number): void {
    const batch = this.queue.next(now, RESEND_MS);
    if (batch) this.effects.book(batch);
  }

  /** Sends everything that is due. */
  tick(now: number): void {
    this.queueHeldUp(now);
    this.send(now);
    this.sendRefunds(now);
  }

  /** @returns false for a batch that was answered before. */
  booked(batch: ChargeBatch, reply: BatchBooked, now: number): boolean {
    if (!this.queue.finish(batch)) return false;
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
    return true;
  }

  refunded(requestId: string): void {
    this.refunds.delete(requestId);
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
    for (const { epoch, charge } of queued) this.queue.add(epoch, charge);
  }

  private sendRefunds(now: number): void {
    for (const [requestId, pending] of this.refunds) {
      const isUnderWay = pending.sentAt !== undefined && now - pending.sentAt < RESEND_MS;
      if (!pending.isBooked || isUnderWay) continue;
      pending.sentAt = now;
      this.effects.refund(requestId);
    }
  }
}
