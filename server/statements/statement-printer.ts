import { Worker } from "node:worker_threads";
import type { StatementContent } from "./lay-out-statement";

/** The thread ends after this time without a statement, and gives back its memory. */
const IDLE_MS = 60_000;
/** A statement of the largest size takes some seconds. */
const STUCK_MS = 60_000;
/** Of the thread's heap, in MiB. */
const MAX_HEAP_MIB = 256;

export interface StatementPrinterSettings {
  /** The built worker script. */
  workerPath: string | URL;
  /** A WOFF file. */
  fontPath: string;
  reportError(error: Error): void;
  idleMs?: number;
  stuckMs?: number;
}

/**
 * Makes PDFs of statements on its own thread, which starts on the first use and ends when idle: no request waits for
 * one. It makes one at a time. The caller bounds how many wait (the slots of exports).
 */
export class StatementPrinter {
  private worker: Worker | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly settings: StatementPrinterSettings) {}

  /** Whether it has a thread. */
  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /** @returns the file; undefined if it could not be made, which is reported. */
  print(content: StatementContent): Promise<Uint8Array | undefined> {
    const file = this.last.then(() => this.run(content));
    this.last = file;
    return file;
  }

  /** Ends the thread; waiting statements are not made. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.end();
  }

  private async run(content: StatementContent): Promise<Uint8Array | undefined> {
    if (this.isClosed) return undefined;
    clearTimeout(this.idleTimer);
    try {
      this.worker ??= this.start();
      const file = await this.ask(this.worker, content);
      this.idleTimer = setTimeout(() => void this.end(), this.settings.idleMs ?? IDLE_MS);
      this.idleTimer.unref();
      return file;
    } catch (error) {
      if (!this.isClosed) this.settings.reportError(error as Error);
      await this.end();
      return undefined;
    }
  }

  private start(): Worker {
    const worker = new Worker(this.settings.workerPath, {
      workerData: this.settings.fontPath,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    worker.unref();
    // An idle thread that fails is replaced with the next statement.
    worker.on("error", () => this.forget(worker));
    worker.on("exit", () => this.forget(worker));
    return worker;
  }

  private forget(worker: Worker): void {
    if (worker === this.worker) this.worker = undefined;
  }

  private ask(worker: Worker, content: StatementContent): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        worker.off("message", succeed).off("error", fail).off("exit", exit);
      };
      const fail = (error: Error): void => {
        stop();
        reject(error);
      };
      const exit = (): void => fail(new Error("the thread of printed statements has ended"));
      const succeed = (file: Uint8Array): void => {
        stop();
        resolve(file);
      };
      const timer = setTimeout(
        () => fail(new Error("printing a statement took too long")),
        this.settings.stuckMs ?? STUCK_MS,
      );
      worker.on("message", succeed).on("error", fail).on("exit", exit);
      worker.postMessage(content);
    });
  }

  private async end(): Promise<void> {
    clearTimeout(this.idleTimer);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }
}
