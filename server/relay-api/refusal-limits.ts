import type { IncomingMessage } from "node:http";
import type { Refusal } from "@tollgate/relay/ports/client";

/** Pairs of key and network that are remembered; beyond it the oldest begin again. */
const MAX_PAIRS = 20_000;
const MINUTE_MS = 60_000;

/** Refusals that one key may still cause from one network. */
interface Allowance {
  left: number;
  /** Milliseconds since the epoch. */
  sinceMs: number;
}

export interface RefusalLimitTools {
  /** Refusals per minute; 0 for no limit. */
  perMinute(): number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The caller's address, or the network that one subscriber owns. */
  subscriberOf(request: IncomingMessage): string;
}

/**
 * Limits the refused requests of a key from a network. Beyond the limit requests are refused unread, for only the
 * answer's cost. The allowance grows evenly, so that a key that becomes valid again works within a second or two, and a
 * successful request restores all of it: a busy key with some wrong requests is never blocked. A stranger with another
 * key, or from another network, has a separate allowance.
 */
export class RefusalLimits {
  private readonly allowances = new Map<string, Allowance>();
  /** Number of allowances per key: most requests then need no lookup of their address. */
  private readonly byKey = new Map<number, number>();

  constructor(private readonly tools: RefusalLimitTools) {}

  /** @returns why a request of this key is refused unread; undefined where it is not. */
  check(keyId: number, request: IncomingMessage): Refusal | undefined {
    // A socket remembers its peer once it was read, also when it is closed by the time of `ended`.
    void request.socket?.remoteAddress;
    if (!this.byKey.has(keyId)) return undefined;
    const limit = this.tools.perMinute();
    const allowance = this.allowances.get(this.nameOf(keyId, request));
    if (!allowance || limit === 0) return undefined;
    const left = this.leftOf(allowance, limit);
    if (left >= 1) return undefined;
    const retryAfterSeconds = Math.max(1, Math.ceil(((1 - left) * MINUTE_MS) / limit / 1000));
    const params = { limit: String(limit), seconds: String(retryAfterSeconds) };
    return { code: "refusals-limited", params, retryAfterSeconds };
  }

  /** A request of this key is over. @param status of its answer. */
  ended(keyId: number, request: IncomingMessage, status: number): void {
    if (status < 400) {
      if (this.byKey.has(keyId)) this.forget(keyId, this.nameOf(keyId, request));
      return;
    }
    const limit = this.tools.perMinute();
    // Faults of the service are not the caller's.
    if (limit === 0 || status >= 500) return;
    const name = this.nameOf(keyId, request);
    const known = this.allowances.get(name);
    const left = known ? this.leftOf(known, limit) : limit;
    this.forget(keyId, name);
    this.allowances.set(name, { left: Math.max(0, left - 1), sinceMs: this.tools.now() });
    this.byKey.set(keyId, (this.byKey.get(keyId) ?? 0) + 1);
    if (this.allowances.size <= MAX_PAIRS) return;
    const [oldest] = this.allowances.keys();
    if (oldest !== undefined) this.forget(Number.parseInt(oldest, 10), oldest);
  }

  private nameOf(keyId: number, request: IncomingMessage): string {
    return `${keyId} ${this.tools.subscriberOf(request)}`;
  }

  private leftOf({ left, sinceMs }: Allowance, limit: number): number {
    // A clock that is set back takes nothing away.
    const passedMs = Math.max(0, this.tools.now() - sinceMs);
    return Math.min(limit, left + (passedMs * limit) / MINUTE_MS);
  }

  private forget(keyId: number, name: string): void {
    if (!this.allowances.delete(name)) return;
    const count = (this.byKey.get(keyId) ?? 0) - 1;
    if (count > 0) this.byKey.set(keyId, count);
    else this.byKey.delete(keyId);
  }
}
