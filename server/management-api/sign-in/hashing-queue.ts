import { Failure } from "../failure";

/** After which a queue of any length has moved on. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Runs only a few tasks at once and lets a bounded number wait. Hashing a password keeps a thread of libuv's pool (four
 * by default) busy for some 50 ms, and the charge journal is written on the same pool: a flood of sign-ins would delay
 * the end of every answer. https://docs.libuv.org/en/v1.x/threadpool.html
 */
export class HashingQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param mostRunning tasks at once. @param mostWaiting queued tasks; more are refused. */
  constructor(
    private readonly mostRunning: number,
    private readonly mostWaiting: number,
  ) {}

  /**
   * Runs a task when it is its turn.
   * @throws Failure with status 503 when too many wait already.
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.mostRunning) this.running += 1;
    else {
      if (this.waiting.length >= this.mostWaiting)
        throw new Failure("sign-in-busy", {}, 503, RETRY_AFTER_SECONDS);
      // The previous task passes its slot on: `running` stays unchanged.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
