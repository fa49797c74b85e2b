/** An unanswered call stops counting after this time: its connection is closed by then. Milliseconds. */
const HANGS_MS = 15_000;

/**
 * Maximum number of identical calls at the same time. A second one helps when a connection broke silently; more would
 * take the connections from all others while the database waits for a lock that a person holds on one account.
 */
const MAX_OF_ONE = 2;

/** A running call. */
export interface Call {
  readonly since: number;
  /** Subject of the call; undefined where that does not matter. */
  readonly about: unknown;
}

/** Limits the running calls of one kind, so that an unresponsive database does not get more and more of them. */
export class CallLane {
  private readonly calls = new Set<Call>();

  constructor(private readonly most: number) {}

  /**
   * @param now monotonic milliseconds. @param about the call's subject, the same in each retry.
   * @returns undefined when too many calls are running.
   */
  enter(now: number, about?: unknown): Call | undefined {
    if (this.calls.size >= this.most || this.countOf(about) >= MAX_OF_ONE)
      for (const call of this.calls) if (now - call.since >= HANGS_MS) this.calls.delete(call);
    if (this.calls.size >= this.most || this.countOf(about) >= MAX_OF_ONE) return undefined;
    const call = { since: now, about };
    this.calls.add(call);
    return call;
  }

  private countOf(about: unknown): number {
    let count = 0;
    if (about !== undefined) for (const call of this.calls) if (call.about === about) count += 1;
    return count;
  }

  leave(call: Call): void {
    this.calls.delete(call);
  }
}
