/** Whatever may take too long. */
export interface Watched {
  /** Where it stands in the list; -1 when it does not. */
  place: number;
  /** @param tick how often this was asked until now. */
  check(tick: number): void;
  close(): void;
}

const MAX_INTERVAL_MS = 1000;
const MIN_INTERVAL_MS = 5;

/**
 * One timer for everything that waits: a timer for each request would cost more than the request's own work here. It
 * counts ticks, and a time-out is a number of them; so each comes late by up to one tick, never early, and a process
 * that stood still takes nothing for silence of the other side.
 */
export class Deadlines {
  /** How often the timer has run. */
  tick = 0;
  private readonly intervalMs: number;
  private readonly watched: Watched[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param shortestMs the shortest time-out that is to be kept. */
  constructor(shortestMs: number) {
    this.intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, Math.floor(shortestMs / 4)));
  }

  /** How many ticks a time-out lasts: after so many it is over for certain. */
  ticksOf(timeoutMs: number): number {
    return Math.ceil(timeoutMs / this.intervalMs) + 1;
  }

  add(each: Watched): void {
    each.place = this.watched.length;
    this.watched.push(each);
    // Never what keeps a process alive: sockets do, while a request waits for them.
    this.timer ??= setInterval(() => this.checkAll(), this.intervalMs).unref();
  }

  remove(each: Watched): void {
    const last = this.watched.pop();
    if (last !== undefined && last !== each) {
      this.watched[each.place] = last;
      last.place = each.place;
    }
    each.place = -1;
    if (this.watched.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  /** Ends everything that waits. */
  closeAll(): void {
    for (const each of [...this.watched]) each.close();
  }

  private checkAll(): void {
    this.tick += 1;
    // Backwards: what takes the place of a removed one was looked at already.
    for (let i = this.watched.length - 1; i >= 0; i -= 1) this.watched[i]?.check(this.tick);
  }
}
