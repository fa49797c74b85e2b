/**
 * Moves entries from the outbox to the log file: soon after they were committed, in large groups, and at once for a
 * query.
 */
export class OutboxConsumer {
  /** The newest outbox row that was committed, and the newest whose lines are in the log file. */
  private committed = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    /** Takes over a bounded number of rows; gives the last row whose lines are in the log file. */
    private readonly ingest: () => Promise<number>,
    /** Deletes outbox rows up to this one. */
    private readonly trim: (upTo: number) => Promise<void>,
    private readonly reportError: (error: Error) => void,
    private applied: number,
    /** How long lines gather before they are taken over. */
    private readonly delayMs: number,
  ) {}

  /** How many outbox rows the log file is not known to have. */
  get waiting(): number {
    return Math.max(0, this.committed - this.applied);
  }

  /** Says that an outbox row was committed. */
  note(batch: number): void {
    if (batch <= this.committed) return;
    this.committed = batch;
    if (this.committed > this.applied) this.schedule(this.delayMs);
  }

  /** Resolves when everything that was committed before the call is in the log file, or could not be brought there. */
  async ingested(): Promise<void> {
    const wanted = this.committed;
    // A running pass may have read the outbox before: that it brings nothing more does not mean that no entry is left.
    if (this.applied < wanted && this.running) await this.running;
    while (this.applied < wanted) {
      const before = this.applied;
      await this.run();
      if (this.applied === before) return;
    }
  }

  /** Takes over the remaining entries. */
  async close(): Promise<void> {
    await this.ingested();
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.timer || this.isClosed) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.run();
    }, delayMs);
    this.timer.unref();
  }

  private run(): Promise<void> {
    this.running ??= this.runOnce().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async runOnce(): Promise<void> {
    try {
      this.applied = await this.ingest();
      // Not before this is read: trimmed entries must be in the log file for good.
      await this.trim(this.applied);
      if (this.applied < this.committed) this.schedule(0);
    } catch (error) {
      this.reportError(error as Error);
      this.schedule(RETRY_MS);
    }
  }
}

/** How long to wait after a failure: a full disk does not get emptier by trying. */
const RETRY_MS = 1000;
