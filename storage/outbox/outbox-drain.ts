/** How long lines gather before they are taken over together; whoever reads the log does not wait for it. */
const GATHER_MS = 200;
/** How often to look where nothing came: what a node left behind that is gone, say. */
const IDLE_MS = 1000;

/**
 * Leads what waits in an outbox that several processes fill and empty into the log: every so often, and at once when somebody
 * wants to read it. Rows are taken as they are found; what another node is taking at the same time comes from there.
 */
export class OutboxDrain {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private isFailing = false;
  private isClosed = false;

  constructor(
    /** Takes over a bounded number of rows; gives whether there may be more. */
    private readonly take: () => Promise<{ count: number; areMore: boolean }>,
    /** Told once when it begins to fail. */
    private readonly reportError: (error: Error) => void,
  ) {
    this.schedule(0);
  }

  /** Resolves when everything that was committed before the call was taken, or cannot be taken now. */
  drained(): Promise<void> {
    if (!this.running) return this.run();
    // What is under way may have looked before.
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
    await this.drained();
  }

  private schedule(delayMs: number): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.drained(), delayMs);
    this.timer.unref();
  }

  private run(): Promise<void> {
    this.running ??= this.runOnce().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async runOnce(): Promise<void> {
    let taken = 0;
    try {
      for (;;) {
        const { count, areMore } = await this.take();
        taken += count;
        if (!areMore) break;
      }
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.reportError(error instanceof Error ? error : new Error(String(error)));
      this.isFailing = true;
    }
    this.schedule(taken > 0 ? GATHER_MS : IDLE_MS);
  }
}
