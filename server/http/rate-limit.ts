import { createHash } from "node:crypto";

/** Callers remembered at most per bucket; beyond it the one that was silent longest is forgotten. */
const MAX_CALLERS = 20_000;

/** Reduces a caller's name of any length to the same few bytes, which keep no request alive. */
const keyOf = (name: string): string => createHash("sha256").update(name).digest("base64url");

/**
 * A sliding window per caller (contract section 0.7): the last accepted calls count, refused ones do not. Callers are
 * addresses, account names or other names, of any length.
 */
export class RateLimit {
  private readonly accepted = new Map<string, number[]>();

  /**
   * @param calls of all nodes together; 0 switches the limit off.
   * @param nodes how many live: each takes its part, and at least one call.
   */
  constructor(
    private readonly calls: number,
    private readonly windowMs: number,
    private readonly nodes: () => number = () => 1,
  ) {}

  /** Counts a call. @returns 0, or how many milliseconds a caller has to wait that has used its calls up. */
  take(caller: string, nowMs: number): number {
    if (this.calls === 0) return 0;
    const key = keyOf(caller);
    const times = this.accepted.get(key) ?? [];
    const oldest = times.at(-Math.ceil(this.calls / this.nodes()));
    if (oldest !== undefined && nowMs - oldest < this.windowMs) return oldest + this.windowMs - nowMs;
    times.push(nowMs);
    if (times.length > this.calls) times.shift();
    this.accepted.delete(key);
    this.accepted.set(key, times);
    if (this.accepted.size > MAX_CALLERS) {
      const forgotten = this.accepted.keys().next().value;
      if (forgotten !== undefined) this.accepted.delete(forgotten);
    }
    return 0;
  }

  /** Stops counting an accepted call. */
  giveBack(caller: string): void {
    const key = keyOf(caller);
    const times = this.accepted.get(key);
    times?.pop();
    if (times?.length === 0) this.accepted.delete(key);
  }
}

/** The buckets of /api that count by address. */
export interface RateLimits {
  /** Every call. */
  global: RateLimit;
  /** Calls with which passwords and codes could be guessed, on top of the global one. */
  critical: RateLimit;
}
