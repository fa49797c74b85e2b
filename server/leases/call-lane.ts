/** After so long a call that was not answered no longer counts: its connection is given up by then. Milliseconds. */
const HANGS_MS = 15_000;

/** A call that is under way. */
export interface Call {
  readonly since: number;
}

/** Calls of one kind that are under way: a bound on them, so that a database that answers nothing is not asked more and more. */
export class CallLane {
  private readonly calls = new Set<Call>();

  constructor(private readonly most: number) {}

  /** @param now monotonic milliseconds. @returns nothing where there are too many already. */
  enter(now: number): Call | undefined {
    if (this.calls.size >= this.most)
      for (const call of this.calls) if (now - call.since >= HANGS_MS) this.calls.delete(call);
    if (this.calls.size >= this.most) return undefined;
    const call = { since: now };
    this.calls.add(call);
    return call;
  }

  leave(call: Call): void {
    this.calls.delete(call);
  }
}
