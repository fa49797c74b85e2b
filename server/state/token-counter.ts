import { Worker } from "node:worker_threads";
import { approximateTokens } from "@tollgate/metering/estimate";
import type { TokenCounter } from "@tollgate/relay/ports";

/** Beyond this a text is estimated: counting it would keep the thread busy for too long. */
const MAX_COUNTED_CHARACTERS = 2 * 1024 * 1024;
/** A request that waits or is counted for longer gets an estimate. */
const PATIENCE_MS = 5000;
/** How many texts of one user wait, and how much text of all users together; what comes on top is estimated. */
const MAX_WAITING_OF_USER = 32;
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;

interface Job {
  model: string;
  text: string;
  userId: number;
  done: (tokens: number) => void;
  deadline: NodeJS.Timeout;
}

export interface TokenCounterSettings {
  /** The built worker script. */
  workerPath: string | URL;
  /** The option ApproximateTokenEnabled: never count, always estimate. */
  isApproximate(): boolean;
  reportError(error: Error): void;
  patienceMs?: number;
}

const estimate = (text: string): number => approximateTokens(Buffer.byteLength(text));

/**
 * Counts with a tokenizer on a thread of its own, started when it is first needed: most upstreams tell their usage. The
 * thread is given one text at a time, of each user in turn; a text that keeps it too long is estimated, and the thread
 * replaced.
 */
export class ThreadedTokenCounter implements TokenCounter {
  private worker: Worker | undefined;
  private running: Job | undefined;
  /** By user; the one whose turn is next comes first. */
  private readonly waiting = new Map<number, Job[]>();
  private waitingCharacters = 0;
  private isClosed = false;

  constructor(private readonly settings: TokenCounterSettings) {}

  /** How many texts wait for their turn. */
  get waitingTexts(): number {
    let count = 0;
    for (const { length } of this.waiting.values()) count += length;
    return count;
  }

  count(model: string, text: string, done: (tokens: number) => void, userId: number): void {
    if (text === "") {
      done(0);
      return;
    }
    const queue = this.waiting.get(userId);
    if (
      this.isClosed ||
      this.settings.isApproximate() ||
      text.length > MAX_COUNTED_CHARACTERS ||
      (queue?.length ?? 0) >= MAX_WAITING_OF_USER ||
      this.waitingCharacters + text.length > MAX_WAITING_CHARACTERS
    ) {
      done(estimate(text));
      return;
    }
    const deadline = setTimeout(() => this.giveUp(job), this.settings.patienceMs ?? PATIENCE_MS);
    const job: Job = { model, text, userId, done, deadline };
    if (queue) queue.push(job);
    else this.waiting.set(userId, [job]);
    this.waitingCharacters += text.length;
    this.next();
  }

  /** Ends the thread; requests that wait get an estimate. */
  async close(): Promise<void> {
    this.isClosed = true;
    const jobs = [...this.waiting.values()].flat();
    if (this.running) jobs.push(this.running);
    this.waiting.clear();
    this.waitingCharacters = 0;
    const { worker } = this;
    this.worker = undefined;
    this.running = undefined;
    for (const job of jobs) this.answer(job, estimate(job.text));
    await worker?.terminate();
  }

  private next(): void {
    if (this.running) return;
    const [turn] = this.waiting;
    if (!turn) return;
    const [userId, queue] = turn;
    const job = queue.shift();
    // Who has more goes behind the others.
    this.waiting.delete(userId);
    if (queue.length > 0) this.waiting.set(userId, queue);
    if (!job) return;
    this.waitingCharacters -= job.text.length;
    this.running = job;
    this.worker ??= this.start();
    this.worker.postMessage({ model: job.model, text: job.text });
  }

  private start(): Worker {
    const worker = new Worker(this.settings.workerPath);
    worker.unref();
    worker.on("message", (tokens: number) => {
      const job = this.running;
      // The answer of a replaced thread belongs to no request.
      if (worker !== this.worker || !job) return;
      this.running = undefined;
      this.answer(job, tokens);
      this.next();
    });
    worker.on("error", (error) => {
      this.settings.reportError(error);
      if (worker === this.worker) this.replace();
    });
    return worker;
  }

  /** The thread is lost, and the count that it was at. */
  private replace(): void {
    const { running, worker } = this;
    this.worker = undefined;
    this.running = undefined;
    worker?.terminate().catch(this.settings.reportError);
    if (running) this.answer(running, estimate(running.text));
    this.next();
  }

  private giveUp(job: Job): void {
    if (job === this.running) {
      this.replace();
      return;
    }
    const queue = this.waiting.get(job.userId);
    const place = queue?.indexOf(job) ?? -1;
    if (!queue || place === -1) return;
    queue.splice(place, 1);
    if (queue.length === 0) this.waiting.delete(job.userId);
    this.waitingCharacters -= job.text.length;
    this.answer(job, estimate(job.text));
  }

  /** What a person does with the count must not end the counting of others. */
  private answer(job: Job, tokens: number): void {
    clearTimeout(job.deadline);
    try {
      job.done(tokens);
    } catch (error) {
      this.settings.reportError(error as Error);
    }
  }
}
