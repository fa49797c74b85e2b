/** How long lines gather before they are taken over together; readers of the log do not wait for it. */
const GATHER_MS = 200;
/** How often to look where nothing came: for what a node left behind that is gone. */
const IDLE_MS = 1000;

/**
 * Leads what waits in an outbox that several processes fill and empty into the log: every so often, and at once when a process
 * wants to read it.
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
    /** Takes over everything that was committed before the call, and waits for what others are taking of it. */
    private readonly takeAll: () => Promise<void>,
    /** Told when it begins to fail, and not again before it worked in between. */
    private readonly reportError: (error: Error) => void,
  ) {
    this.schedule(0);
  }

  /** Resolves when everything that was committed before the call is in the log, or cannot be brought there now. */
  drained(): Promise<void> {
    if (!this.running) return this.run();
    // What is under way may have looked before; all who ask meanwhile share the next one.
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.run();
    });
    return this.next;
  }

  /** Takes over what is left. */
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
