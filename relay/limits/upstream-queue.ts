/**
 * Interval for checking waiting requests, in addition to each time a request leaves. One timer serves all, while a
 * request waits.
 */
const LOOK_MS = 50;

/** A request that waits for a slot at an upstream. */
export interface Waiter {
  /** Places are given to users in turn. */
  readonly userId: number;
  /**
   * Requests with the same route compete for the same slots: if one finds none, a request with at least as many tokens
   * finds none either.
   */
  readonly route: string;
  readonly tokens: number;
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
  /** The channels that it waits for. */
  channelIds(): Iterable<number>;
  /** Tries to get a slot. @returns whether it has stopped waiting. Never throws or rejects. */
  attempt(): boolean | Promise<boolean>;
  /** It has reached its deadline, or the queue is too long. Called once, as the last call. */
  giveUp(): void;
}

/** Other settings of a queue, which are read each time because they may change. */
export interface QueueSettings {
  /** Maximum number of waiting requests. */
  length(): number;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The waiting requests of one user by route, in their order of arrival within each route. */
interface WaitingUser {
  readonly id: number;
  readonly byRoute: Map<string, Set<Entry>>;
  count: number;
}

class Entry {
  isAsking = false;

  constructor(
    readonly waiter: Waiter,
    readonly user: WaitingUser,
    /** Sequence number of arrival. */
    readonly number: number,
  ) {}
}

/**
 * The queue for upstream slots, fair between users: a user with a thousand waiting requests gets one turn among those
 * of others. A request without a free slot lets requests for other slots pass. When the queue is too long, the last
 * request of the user with the most waiting requests is removed.
 */
export class UpstreamQueue {
  /** The user with the next turn is first. */
  private readonly users = new Map<number, WaitingUser>();
  /** All of them, in their order of arrival. */
  private readonly entries = new Map<Waiter, Entry>();
  /** Number of events after which a slot may be free. */
  private chances = 0;
  /** Routes that found no slot since the last such event, with their tokens. */
  private readonly full = new Map<string, number>();
  /** Routes that other nodes are being queried about. */
  private readonly asking = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isServing = false;
  private isChanged = false;
  private lastNumber = 0;

  constructor(private readonly settings: QueueSettings) {}

  get size(): number {
    return this.entries.size;
  }

  /** The waiting requests, in their order of arrival. */
  waiters(): Iterable<Waiter> {
    return this.entries.keys();
  }

  /** Appends a request to its user's line; it may get its turn immediately. */
  join(waiter: Waiter): void {
    let user = this.users.get(waiter.userId);
    if (!user) {
      user = { id: waiter.userId, byRoute: new Map(), count: 0 };
      this.users.set(user.id, user);
    }
    this.lastNumber += 1;
    const entry = new Entry(waiter, user, this.lastNumber);
    this.entries.set(waiter, entry);
    const line = user.byRoute.get(waiter.route);
    if (line) line.add(entry);
    else user.byRoute.set(waiter.route, new Set([entry]));
    user.count += 1;
    this.serve();
    this.shorten();
  }

  /** Removes a request; ignores one that is not waiting. */
  leave(waiter: Waiter): void {
    const entry = this.entries.get(waiter);
    if (entry) this.remove(entry);
  }

  /** A slot may be free: gives the next request a try. */
  serve(): void {
    this.chances += 1;
    this.isChanged = true;
    this.goOn();
  }

  private goOn(): void {
    if (this.isServing || this.entries.size === 0) return;
    this.isServing = true;
    try {
      do {
        if (this.isChanged) this.full.clear();
        this.isChanged = false;
        this.serveRound();
      } while (this.isChanged);
    } finally {
      this.isServing = false;
    }
    this.watch();
  }

  private serveRound(): void {
    // A served user moves to the end and gets another turn in the same round.
    for (const user of this.users.values()) if (this.serveUser(user)) this.toEnd(user);
  }

  /** @returns whether one of its requests waits no longer. */
  private serveUser(user: WaitingUser): boolean {
    for (let entry = this.nextOf(user); entry; entry = this.nextOf(user)) {
      const { waiter } = entry;
      const isServed = waiter.attempt();
      if (isServed === true) {
        this.remove(entry);
        return true;
      }
      if (isServed === false) this.full.set(waiter.route, waiter.tokens);
      else this.ask(entry, isServed);
    }
    return false;
  }

  private ask(entry: Entry, answer: Promise<boolean>): void {
    const { route, tokens } = entry.waiter;
    const { chances } = this;
    entry.isAsking = true;
    this.asking.add(route);
    void answer.then((isServed) => {
      entry.isAsking = false;
      this.asking.delete(route);
      if (isServed && this.entries.get(entry.waiter) === entry) {
        this.remove(entry);
        this.toEnd(entry.user);
      } else if (!isServed && chances === this.chances) this.full.set(route, tokens);
      this.goOn();
    });
  }

  /** The user's first request that has not been found without a slot. */
  private nextOf({ byRoute }: WaitingUser): Entry | undefined {
    let next: Entry | undefined;
    for (const [route, line] of byRoute) {
      if (this.asking.has(route)) continue;
      const [first] = line;
      if (!first || first.waiter.tokens >= (this.full.get(route) ?? Number.POSITIVE_INFINITY)) continue;
      if (!next || first.number < next.number) next = first;
    }
    return next;
  }

  private toEnd(user: WaitingUser): void {
    // It may have left, and come again as another.
    if (this.users.get(user.id) !== user) return;
    this.users.delete(user.id);
    this.users.set(user.id, user);
  }

  private remove(entry: Entry): void {
    const { waiter, user } = entry;
    if (!this.entries.delete(waiter)) return;
    const line = user.byRoute.get(waiter.route);
    line?.delete(entry);
    if (line?.size === 0) user.byRoute.delete(waiter.route);
    user.count -= 1;
    if (user.count === 0) this.users.delete(user.id);
    if (this.entries.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private giveUp(entry: Entry): void {
    this.remove(entry);
    entry.waiter.giveUp();
  }

  /** Removes the last request of the user with the most, as long as the queue is too long. */
  private shorten(): void {
    while (this.entries.size > this.settings.length()) {
      let most: WaitingUser | undefined;
      for (const user of this.users.values()) if (user.count >= (most?.count ?? 0)) most = user;
      let last: Entry | undefined;
      for (const entry of this.entries.values()) if (entry.user === most && !entry.isAsking) last = entry;
      // A request with a pending query is informed when the query is done.
      if (!last) return;
      this.giveUp(last);
    }
  }

  private watch(): void {
    if (this.timer !== undefined || this.entries.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.expire();
      this.shorten();
      this.serve();
      this.watch();
    }, LOOK_MS);
  }

  private expire(): void {
    const nowMs = this.settings.now();
    for (const entry of [...this.entries.values()]) {
      // A request that gave up before it may have made room for it, or have it leave.
      const isWaiting = this.entries.get(entry.waiter) === entry;
      if (isWaiting && entry.waiter.deadlineMs <= nowMs && !entry.isAsking) this.giveUp(entry);
    }
  }
}
