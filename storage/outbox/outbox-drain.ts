/** How long lines gather before they are taken over together; readers of the log do not wait for it. */
const GATHER_MS = 200;
/** Interval of checks without a notification: for entries of a node that has gone. */
const IDLE_MS = 1000;

/**
 * Moves entries to the log from an outbox that several processes fill and empty: periodically, and at once for a query.
 */
export class OutboxDrain {
  private timer: NodeJS.Timeout | undefined;
  private taking: Promise<unknown> | undefined;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private isFailing = false;
  private isClosed = false;

  constructor(
    /** Takes over some rows that no other process is taking; gives how many. */
    private readonly take: () => Promise<number>,
    /** Takes over everything that was committed before the call, and waits for entries that others are taking. */
    private readonly takeAll: () => Promise<void>,
    /** Told when it begins to fail, and not again before it worked in between. */
    private readonly reportError: (error: Error) => void,
  ) {
    this.schedule(0);
  }

  /** Resolves when everything that was committed before the call is in the log, or cannot be brought there now. */
  drained(): Promise<void> {
    if (!this.running) return this.run();
    // A running pass may have read the outbox before; all calls meanwhile share the next pass.
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.run();
    });
    return this.next;
  }

  /** Takes over the remaining entries. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.taking;
    await this.drained();
  }

  private schedule(delayMs: number): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      this.taking = this.attempt(this.take).then((taken) => this.schedule(taken ? GATHER_MS : IDLE_MS));
    }, delayMs);
    this.timer.unref();
  }

  private run(): Promise<void> {
    this.running = this.attempt(this.takeAll).then(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await step();
      this.isFailing = false;
      return result;
    } catch (error) {
      if (!this.isFailing) this.reportError(error instanceof Error ? error : new Error(String(error)));
      this.isFailing = true;
      return undefined;
    }
  }
}
