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

  /** @returns false when the address has used its calls up. */
  take(address: string, nowMs: number): boolean {
    if (this.calls === 0) return true;
    const times = this.accepted.get(address) ?? [];
    const oldest = times[0];
    if (times.length >= this.calls && oldest !== undefined && nowMs - oldest < this.windowMs) return false;
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

/** The buckets of /api. */
export interface RateLimits {
  /** Every call. */
  global: RateLimit;
  /** Calls with which passwords and codes could be guessed, on top of the global one. */
  critical: RateLimit;
}
