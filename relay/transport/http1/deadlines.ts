/** Whatever may take too long. */
export interface Watched {
  /** Its index in the list; -1 when it is not in the list. */
  index: number;
  /** @param tick number of the current tick. */
  check(tick: number): void;
  close(): void;
}

const MAX_INTERVAL_MS = 1000;
const MIN_INTERVAL_MS = 5;

/**
 * One timer for everything that waits: a timer per request would cost more than the request's own work here. It counts
 * ticks, and a time-out is a number of them; so each fires up to one tick late, never early, and a suspended process
 * does not mistake the pause for silence of the other side.
 */
export class Deadlines {
  /** Number of timer runs. */
  tick = 0;
  private readonly intervalMs: number;
  private readonly watched: Watched[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param shortestMs the shortest time-out that is to be kept. */
  constructor(shortestMs: number) {
    this.intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, Math.floor(shortestMs / 4)));
  }

  /** Number of ticks after which a time-out has certainly expired. */
  ticksOf(timeoutMs: number): number {
    return Math.ceil(timeoutMs / this.intervalMs) + 1;
  }

  add(each: Watched): void {
    each.index = this.watched.length;
    this.watched.push(each);
    // The timer must not keep the process alive: sockets do, while a request waits for them.
    this.timer ??= setInterval(() => this.checkAll(), this.intervalMs).unref();
  }

  remove(each: Watched): void {
    const last = this.watched.pop();
    if (last !== undefined && last !== each) {
      this.watched[each.index] = last;
      last.index = each.index;
    }
    each.index = -1;
    if (this.watched.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  closeAll(): void {
    for (const each of [...this.watched]) each.close();
  }

  private checkAll(): void {
    this.tick += 1;
    // Backwards, because the element that replaces a removed one was checked already.
    for (let i = this.watched.length - 1; i >= 0; i -= 1) this.watched[i]?.check(this.tick);
  }
}
