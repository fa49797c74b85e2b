import { Worker } from "node:worker_threads";
import { approximateTokens } from "@tollgate/metering/estimate";
import type { CountPurpose, TokenCounter } from "@tollgate/relay/ports/charges";

/** Beyond this a text is estimated: counting it would keep the thread busy for too long. */
const MAX_COUNTED_CHARACTERS = 2 * 1024 * 1024;
/** A count that is only for information is estimated after this time. */
const PATIENCE_MS = 5000;
/** A thread that takes this long for one text hangs: the most expensive text takes some seconds. */
const STUCK_MS = 120_000;
/** Limits of one user's texts waiting for information, and of all users' characters; the rest is estimated. */
const MAX_WAITING_OF_USER = 32;
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;

interface Job {
  model: string;
  text: string;
  userId: number;
  purpose: CountPurpose;
  /** undefined once it was called. */
  done: ((tokens: number) => void) | undefined;
  deadline?: NodeJS.Timeout;
}

export interface TokenCounterSettings {
  /** The built worker script. */
  workerPath: string | URL;
  /** The option ApproximateTokenEnabled: never count, always estimate. */
  isApproximate(): boolean;
  reportError(error: Error): void;
  patienceMs?: number;
  stuckMs?: number;
}

const estimate = (text: string): number => approximateTokens(Buffer.byteLength(text));

/** Waiting texts, of each user in turn. */
class Turns {
  /** By user; the next one comes first. */
  private readonly queues = new Map<number, Job[]>();

  get size(): number {
    let size = 0;
    for (const { length } of this.queues.values()) size += length;
    return size;
  }

  sizeOf(userId: number): number {
    return this.queues.get(userId)?.length ?? 0;
  }

  add(job: Job): void {
    const queue = this.queues.get(job.userId);
    if (queue) queue.push(job);
    else this.queues.set(job.userId, [job]);
  }

  take(): Job | undefined {
    const [turn] = this.queues;
    if (!turn) return undefined;
    const [userId, queue] = turn;
    const job = queue.shift();
    // A user with more jobs goes to the end.
    this.queues.delete(userId);
    if (queue.length > 0) this.queues.set(userId, queue);
    return job;
  }

  /** @returns whether it waited. */
  remove(job: Job): boolean {
    const queue = this.queues.get(job.userId);
    const place = queue?.indexOf(job) ?? -1;
    if (!queue || place === -1) return false;
    queue.splice(place, 1);
    if (queue.length === 0) this.queues.delete(job.userId);
    return true;
  }

  clear(): Job[] {
    const jobs = [...this.queues.values()].flat();
    this.queues.clear();
    return jobs;
  }
}

/**
 * Counts with a tokenizer on its own thread, started on first use: most upstreams report their usage. The thread gets
 * one text at a time, of each user in turn. Charged texts come first and are counted however long they wait: they are
 * limited with the bodies of running requests. Others are estimated when they would wait long.
 */
export class ThreadedTokenCounter implements TokenCounter {
  private worker: Worker | undefined;
  private running: Job | undefined;
  private stuckTimer: NodeJS.Timeout | undefined;
  private readonly waiting: Readonly<Record<CountPurpose, Turns>> = {
    charge: new Turns(),
    information: new Turns(),
  };
  /** Characters of texts waiting for information. */
  private waitingCharacters = 0;
  private isClosed = false;

  constructor(private readonly settings: TokenCounterSettings) {}

  /** Number of waiting texts. */
  get waitingTexts(): number {
    return this.waiting.charge.size + this.waiting.information.size;
  }

  count(
    model: string,
    text: string,
    done: (tokens: number) => void,
    userId: number,
    purpose: CountPurpose,
  ): void {
    if (text === "") {
      done(0);
      return;
    }
    const isForInformation = purpose === "information";
    if (
      this.isClosed ||
      this.settings.isApproximate() ||
      text.length > MAX_COUNTED_CHARACTERS ||
      (isForInformation && this.isFull(userId, text))
    ) {
      done(estimate(text));
      return;
    }
    const job: Job = { model, text, userId, purpose, done };
    if (isForInformation) {
      job.deadline = setTimeout(() => this.giveUp(job), this.settings.patienceMs ?? PATIENCE_MS);
      this.waitingCharacters += text.length;
    }
    this.waiting[purpose].add(job);
    this.next();
  }

  /** Ends the thread; requests that wait get an estimate. */
  async close(): Promise<void> {
    this.isClosed = true;
    const jobs = [...this.waiting.charge.clear(), ...this.waiting.information.clear()];
    if (this.running) jobs.push(this.running);
    this.waitingCharacters = 0;
    const { worker } = this;
    this.worker = undefined;
    this.running = undefined;
    clearTimeout(this.stuckTimer);
    for (const job of jobs) this.answer(job, estimate(job.text));
    await worker?.terminate();
  }

  private isFull(userId: number, text: string): boolean {
    return (
      this.waiting.information.sizeOf(userId) >= MAX_WAITING_OF_USER ||
      this.waitingCharacters + text.length > MAX_WAITING_CHARACTERS
    );
  }

  private next(): void {
    if (this.running) return;
    const job = this.waiting.charge.take() ?? this.takeForInformation();
    if (!job) return;
    this.running = job;
    this.stuckTimer = setTimeout(() => this.replace(), this.settings.stuckMs ?? STUCK_MS);
    this.worker ??= this.start();
    const { model, text, purpose } = job;
    this.worker.postMessage({ model, text, purpose });
  }

  private takeForInformation(): Job | undefined {
    const job = this.waiting.information.take();
    if (job) this.waitingCharacters -= job.text.length;
    return job;
  }

  private start(): Worker {
    const worker = new Worker(this.settings.workerPath);
    worker.unref();
    worker.on("message", (tokens: number) => {
      const job = this.running;
      // The answer of a replaced thread belongs to no request.
      if (worker !== this.worker || !job) return;
      this.end(job, tokens);
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
    worker?.terminate().catch(this.settings.reportError);
    if (running) this.end(running, estimate(running.text));
    else this.next();
  }

  private end(running: Job, tokens: number): void {
    clearTimeout(this.stuckTimer);
    this.running = undefined;
    this.answer(running, tokens);
    this.next();
  }

  /** The thread finishes its current text: starting another one would take longer. */
  private giveUp(job: Job): void {
    if (this.waiting.information.remove(job)) this.waitingCharacters -= job.text.length;
    this.answer(job, estimate(job.text));
  }

  /** An error in a caller's callback must not end the counting of others. */
  private answer(job: Job, tokens: number): void {
    clearTimeout(job.deadline);
    const { done } = job;
    job.done = undefined;
    try {
      done?.(tokens);
    } catch (error) {
      this.settings.reportError(error as Error);
    }
  }
}
