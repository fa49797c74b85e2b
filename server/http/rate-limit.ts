/** Addresses remembered at most per bucket; beyond it the one that was silent longest is forgotten. */
const MAX_ADDRESSES = 20_000;

/**
 * A sliding window per address (contract section 0.7): the last accepted calls count, refused ones do not.
 */
export class RateLimit {
  private readonly accepted = new Map<string, number[]>();

  /** @param calls 0 switches the limit off. */
  constructor(
    private readonly calls: number,
    private readonly windowMs: number,
  ) {}

  /** Whether the next call would be refused. */
  isUsedUp(address: string, nowMs: number): boolean {
    const times = this.accepted.get(address);
    const oldest = times?.[0];
    return (
      this.calls > 0 &&
      times !== undefined &&
      oldest !== undefined &&
      times.length >= this.calls &&
      nowMs - oldest < this.windowMs
    );
  }

  /** @returns false when the address has used its calls up. */
  take(address: string, nowMs: number): boolean {
    if (this.calls === 0) return true;
    if (this.isUsedUp(address, nowMs)) return false;
    const times = this.accepted.get(address) ?? [];
    times.push(nowMs);
    if (times.length > this.calls) times.shift();
    this.accepted.delete(address);
    this.accepted.set(address, times);
    if (this.accepted.size > MAX_ADDRESSES) {
      const forgotten = this.accepted.keys().next().value;
      if (forgotten !== undefined) this.accepted.delete(forgotten);
    }
    return true;
  }
}

/** The buckets of /api; `failures` counts by user name, the others by address. */
export interface RateLimits {
  /** Every call. */
  global: RateLimit;
  /** Calls with which passwords and codes could be guessed, on top of the global one. */
  critical: RateLimit;
  /** Failed sign-ins of one account, from wherever they come. */
  failures: RateLimit;
}
