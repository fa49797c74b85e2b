import type { ChargeBatch, LeaseCharge } from "@tollgate/contract/records/lease";

/** So many charges are committed together at most. */
export const FULL_BATCH = 256;

interface OpenBatch extends ChargeBatch {
  readonly charges: LeaseCharge[];
}

/**
 * Charges to be sent to the database. One batch is in progress at a time; further charges are collected for the next. A
 * batch contains charges of one epoch, and is resent unchanged until it is acknowledged.
 */
export class ChargeQueue {
  private readonly batches: OpenBatch[] = [];
  private sentAt: number | undefined;
  /** Time of the newest batch's first attempt. */
  private begunAt = Number.NEGATIVE_INFINITY;

  /** @param gatherMs minimum time between two batches: a batch costs far more than its charges. */
  constructor(private readonly gatherMs = 0) {}

  get isEmpty(): boolean {
    return this.batches.length === 0;
  }

  /** @param epoch in which the lease was charged. */
  add(epoch: number, charge: LeaseCharge): void {
    const last = this.batches.at(-1);
    const isUnderWay = this.batches.length === 1 && this.sentAt !== undefined;
    if (last && !isUnderWay && last.epoch === epoch && last.charges.length < FULL_BATCH)
      last.charges.push(charge);
    else this.batches.push({ epoch, charges: [charge] });
  }

  /** Time at which the next batch may be sent; undefined when none is waiting, or one is in progress. */
  get dueAt(): number | undefined {
    return this.isEmpty || this.sentAt !== undefined ? undefined : this.begunAt + this.gatherMs;
  }

  /** The batch to send now, for the first time or again. @param resendMs when an answer is no longer waited for. */
  next(now: number, resendMs: number): ChargeBatch | undefined {
    const [first] = this.batches;
    if (!first) return undefined;
    if (this.sentAt === undefined) {
      if (now - this.begunAt < this.gatherMs) return undefined;
      this.begunAt = now;
    } else if (now - this.sentAt < resendMs) return undefined;
    this.sentAt = now;
    return first;
  }

  /** @returns false for a batch that was answered before. */
  finish(batch: ChargeBatch): boolean {
    if (this.batches[0] !== batch) return false;
    this.batches.shift();
    this.sentAt = undefined;
    return true;
  }
}
