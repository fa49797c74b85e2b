import type { NodeRenewed } from "@tollgate/contract/records/lease";

/** How long a node may be silent before the database ends its epoch, milliseconds of the database's clock. */
export const NODE_LIFE_MS = 10_000;

/** How often a node says that it lives. */
export const RENEW_EVERY_MS = 2000;

/** How soon it says so again where no answer came. */
const RETRY_RENEWAL_MS = 500;

/**
 * How long it admits after it last asked for a renewal that was granted, by its own monotonic clock: so much less than its
 * life that clocks of different speed and slow answers do not matter.
 */
export const ADMIT_FOR_MS = 6000;

/**
 * Whether this node may still believe that its leases are its own. All times are of its monotonic clock: a wall clock may
 * be set back, and then the node would go on admitting after its leases went to others.
 */
export class Liveness {
  /** undefined while the node has no row in the database. */
  epoch: number | undefined;
  liveNodes = 1;
  /** How many of those that live joined before this node: an order that is the same for all. */
  place = 0;
  private admitsUntil = Number.NEGATIVE_INFINITY;
  /** Since when no renewal was missed. */
  private steadySince = 0;
  private askedAt = Number.NEGATIVE_INFINITY;
  private isAnswered = true;

  /** Whether new holds may be placed. */
  isAdmitting(now: number): boolean {
    return this.epoch !== undefined && now < this.admitsUntil;
  }

  /** Whether it is time to join or to renew. */
  isDue(now: number): boolean {
    return now - this.askedAt >= (this.isAnswered ? RENEW_EVERY_MS : RETRY_RENEWAL_MS);
  }

  noteAsked(now: number): void {
    this.askedAt = now;
    this.isAnswered = false;
  }

  /** @param askedAt when that was asked, of which the answer came now: the database's clock began to run after it. */
  begin(epoch: number, askedAt: number): void {
    this.epoch = epoch;
    this.isAnswered = true;
    this.admitsUntil = askedAt + ADMIT_FOR_MS;
    this.steadySince = askedAt;
  }

  /** @param askedAt as above. */
  extend(askedAt: number, { liveNodes, place }: NodeRenewed): void {
    this.isAnswered = true;
    if (askedAt >= this.admitsUntil) this.steadySince = askedAt;
    this.admitsUntil = Math.max(this.admitsUntil, askedAt + ADMIT_FOR_MS);
    this.liveNodes = liveNodes;
    this.place = place;
  }

  /**
   * Whether this node may end others that were silent: one that was cut off itself does not know whether they were. After a
   * failure of the database all have the time to come back.
   */
  mayEndOthers(now: number): boolean {
    return this.isAdmitting(now) && now - this.steadySince >= 2 * RENEW_EVERY_MS;
  }

  end(): void {
    this.epoch = undefined;
    this.admitsUntil = Number.NEGATIVE_INFINITY;
    // The next epoch begins at once.
    this.askedAt = Number.NEGATIVE_INFINITY;
  }
}
