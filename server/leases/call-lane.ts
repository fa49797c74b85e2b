/** After so long a call that was not answered no longer counts: its connection is given up by then. Milliseconds. */
const HANGS_MS = 15_000;

/**
 * How often the same is asked at once. A second time helps where a connection broke without a word; where the database waits for a
 * lock that a person holds on one account, more would take the connections from all others.
 */
const MAX_OF_ONE = 2;

/** A call that is under way. */
export interface Call {
  readonly since: number;
  /** What is asked; undefined where that does not matter. */
  readonly about: unknown;
}

/** Calls of one kind that are under way: a bound on them, so that a database that answers nothing is not asked more and more. */
export class CallLane {
  private readonly calls = new Set<Call>();

  constructor(private readonly most: number) {}

  /**
   * @param now monotonic milliseconds. @param about what is asked, the same each time that it is asked again.
   * @returns nothing where there are too many already.
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
