import type { JournalFiles } from "./journal-files";
import type { JournalRecord } from "./journal-record";

/** How long batches gather before they go to the main file together; readers do not wait for it. */
const GATHER_MS = 100;
/** How long to wait after a failure: a full disk does not get emptier by trying. */
const RETRY_MS = 1000;
/** From this many bytes on that the main file does not have yet, charges wait for it: memory has an end. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Makes charges durable at the price of one write to a file, and leads them into the main file in large groups: a
 * transaction for every few requests would cost more than relaying them. A batch is in the journal before a client is
 * told of it, and stays there until the main file has it.
 */
export class ChargeJournal {
  /** Batches that the main file is not known to have, the oldest first. */
  private waiting: JournalRecord[] = [];
  private waitingBytes = 0;
  /** How many of them are on their way. */
  private sent = 0;
  /** Counts failures: batches sent before a failure are sent again. */
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isWriting = false;
  private hasFailed = false;
  private probeTimer: NodeJS.Timeout | undefined;
  /** Resolves when the disk has been tried. */
  private probing: Promise<void> | undefined;

  constructor(
    private readonly files: Pick<JournalFiles, "append" | "release" | "close" | "probe" | "isShort">,
    /** Brings batches, which follow on those before, to the main file: all of them or none. */
    private readonly apply: (records: JournalRecord[]) => Promise<void>,
    private readonly reportError: (error: Error) => void,
    /** The newest batch that the main file has. */
    private newest: number,
  ) {}

  /**
   * True from a batch that could not be stored, or from free space that could not be reserved, until the disk accepts
   * writes again: a request that starts meanwhile might not be chargeable.
   */
  get isFailing(): boolean {
    return this.hasFailed || this.files.isShort;
  }

  /** Batches that the main file is not known to have. */
  get backlog(): { journalBatches: number; journalBytes: number } {
    return { journalBatches: this.waiting.length, journalBytes: this.waitingBytes };
  }

  /**
   * Stores a batch. One at a time: the next after this one is done.
   * @param changes payers with the quota taken from them. @param entries the log entries. Both as encodeCharges returns
   *   them.
   * @param done called when the batch survives the end of the process, or with the error that prevented it.
   */
  append(changes: string, entries: string, done: (error: Error | undefined) => void): void {
    if (this.isWriting) throw new Error("the charge journal is being written already");
    this.isWriting = true;
    if (this.probing) this.probing.then(() => this.write(changes, entries, done));
    else this.write(changes, entries, done);
  }

  private write(changes: string, entries: string, done: (error: Error | undefined) => void): void {
    const id = this.newest + 1;
    this.files.append({ id, changes, entries }, (error, record) => {
      this.isWriting = false;
      this.hasFailed = error !== undefined;
      if (this.isFailing) this.scheduleProbe();
      if (error) {
        done(error);
        return;
      }
      this.newest = id;
      this.waiting.push(record);
      this.waitingBytes += record.bytes.length;
      this.schedule(GATHER_MS);
      if (this.waitingBytes < MAX_WAITING_BYTES) done(undefined);
      else this.applied().then(() => done(undefined));
    });
  }

  /**
   * Sends all stored batches to the main file now: calls sent there later run after it.
   * @returns a promise that is fulfilled when the main file has them, or could not take them.
   */
  applied(): Promise<void> {
    if (this.sent === this.waiting.length) return this.running;
    clearTimeout(this.timer);
    this.timer = undefined;
    const records = this.waiting.slice(this.sent);
    this.sent = this.waiting.length;
    const failuresBefore = this.failures;
    this.running = this.apply(records).then(
      () => this.onApplied(records),
      (error: Error) => {
        // Batches sent after a failed one cannot follow it, and fail as well.
        if (this.failures === failuresBefore) {
          this.failures += 1;
          this.sent = 0;
          this.reportError(error);
        }
        this.schedule(RETRY_MS);
      },
    );
    return this.running;
  }

  /** Moves everything to the main file; batches that cannot be moved stay in the journal. */
  async close(): Promise<void> {
    await this.applied();
    clearTimeout(this.timer);
    clearTimeout(this.probeTimer);
    await this.probing;
    this.files.close(this.waiting.length === 0);
  }

  private schedule(delayMs: number): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.applied();
    }, delayMs);
    this.timer.unref();
  }

  /** Tries from time to time whether the disk takes something again. */
  private scheduleProbe(): void {
    if (this.probeTimer) return;
    this.probeTimer = setTimeout(() => {
      this.probeTimer = undefined;
      // A write that is under way shows it as well.
      if (!this.isWriting) this.probe();
    }, RETRY_MS);
    this.probeTimer.unref();
  }

  private probe(): void {
    this.probing = new Promise((resolve) => {
      this.files.probe((error) => {
        this.probing = undefined;
        this.hasFailed = error !== undefined;
        if (this.isFailing) this.scheduleProbe();
        resolve();
      });
    });
  }

  private onApplied(records: readonly JournalRecord[]): void {
    this.waiting.splice(0, records.length);
    this.sent -= records.length;
    for (const { bytes } of records) this.waitingBytes -= bytes.length;
    const last = records.at(-1);
    if (last) this.files.release(last.id);
    if (this.sent < this.waiting.length) this.schedule(GATHER_MS);
  }
}
