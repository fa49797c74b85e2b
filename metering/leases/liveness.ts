import type { NodeRenewed } from "@tollgate/contract/records/lease";

/** Maximum silence of a node before the database ends its epoch, milliseconds of the database's clock. */
export const NODE_LIFE_MS = 10_000;

/** Interval of a node's renewals. */
export const RENEW_EVERY_MS = 2000;

/** Retry interval of an unanswered renewal. */
const RETRY_RENEWAL_MS = 500;

/**
 * Time during which a node admits holds after sending a renewal that was granted, by its own monotonic clock. It is so
 * much shorter than its life that different clock speeds and slow answers do not matter.
 */
export const ADMIT_FOR_MS = 6000;

/**
 * Decides whether this node may still rely on its leases. All times use its monotonic clock: a wall clock may be set
 * back, and the node would continue to admit after its leases went to others.
 */
export class Liveness {
  /** undefined while the node has no row in the database. */
  epoch: number | undefined;
  liveNodes = 1;
  /** Number of live nodes that joined before this one: an order that is the same for all. */
  rank = 0;
  private admitsUntil = Number.NEGATIVE_INFINITY;
  /** Since when no renewal was missed. */
  private steadySince = 0;
  private askedAt = Number.NEGATIVE_INFINITY;
  private isAnswered = true;

  isAdmitting(now: number): boolean {
    return this.epoch !== undefined && now < this.admitsUntil;
  }

  isDue(now: number): boolean {
    return now - this.askedAt >= (this.isAnswered ? RENEW_EVERY_MS : RETRY_RENEWAL_MS);
  }

  noteAsked(now: number): void {
    this.askedAt = now;
    this.isAnswered = false;
  }

  /** @param askedAt time at which the request was sent: the database's clock started after it. */
  begin(epoch: number, askedAt: number): void {
    this.epoch = epoch;
    this.isAnswered = true;
    this.admitsUntil = askedAt + ADMIT_FOR_MS;
    this.steadySince = askedAt;
  }

  /** @param askedAt as above. */
  extend(askedAt: number, { liveNodes, rank }: NodeRenewed): void {
    this.isAnswered = true;
    if (askedAt >= this.admitsUntil) this.steadySince = askedAt;
    this.admitsUntil = Math.max(this.admitsUntil, askedAt + ADMIT_FOR_MS);
    this.liveNodes = liveNodes;
    this.rank = rank;
  }

  /**
   * Whether this node may end silent nodes: a node that was cut off itself cannot know whether they were silent. After
   * a failure of the database all nodes get time to come back.
   */
  mayEndOthers(now: number): boolean {
    return this.isAdmitting(now) && now - this.steadySince >= 2 * RENEW_EVERY_MS;
  }

  end(): void {
    this.epoch = undefined;
    this.admitsUntil = Number.NEGATIVE_INFINITY;
    // The next epoch starts immediately.
    this.askedAt = Number.NEGATIVE_INFINITY;
  }
}
