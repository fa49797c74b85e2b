/** How often those who wait are looked at, besides whenever a request leaves. One timer runs for all, while a request waits. */
const LOOK_MS = 50;

/** A request that waits for a slot at an upstream. */
export interface Waiter {
  /** Places are given to users in turn. */
  readonly userId: number;
  /** Who waits for the same: where one finds no place, neither does another one of at least as many tokens. */
  readonly route: string;
  readonly tokens: number;
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
  /** The channels that it waits for. */
  channelIds(): Iterable<number>;
  /** Tries to find a place. @returns whether it waits no longer. Never throws, nor rejects. */
  attempt(): boolean | Promise<boolean>;
  /** It has waited for as long as it may, or there are too many. Called once, and nothing after it. */
  giveUp(): void;
}

/** The rest of a queue's settings are asked each time: they may change. */
export interface QueueSettings {
  /** How many may wait at the same time. */
  length(): number;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The waiting of one user, by what it waits for. Those for the same stand in the order in which they came. */
interface WaitingUser {
  readonly id: number;
  readonly byRoute: Map<string, Set<Place>>;
  count: number;
}

/** A place in the queue. */
class Place {
  isAsking = false;

  constructor(
    readonly waiter: Waiter,
    readonly user: WaitingUser,
    /** In the order in which they came. */
    readonly number: number,
  ) {}
}

/**
 * The requests that wait for a place at an upstream, of each user in turn: a user with a thousand waiting has one turn among those
 * of others. What finds no place lets others pass that want another one. Where it is too long, the last one of who waits most often
 * goes.
 */
export class UpstreamQueue {
  /** The one whose turn is next stands first. */
  private readonly users = new Map<number, WaitingUser>();
  /** All of them, in the order in which they came. */
  private readonly places = new Map<Waiter, Place>();
  /** How often there may have been a new place. */
  private chances = 0;
  /** Since then: what found no place, and for how many tokens. */
  private readonly full = new Map<string, number>();
  /** What other nodes are being asked about. */
  private readonly asking = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isServing = false;
  private isChanged = false;
  private lastNumber = 0;

  constructor(private readonly settings: QueueSettings) {}

  /** How many wait. */
  get size(): number {
    return this.places.size;
  }

  /** Those who wait, in the order in which they came. */
  waiters(): Iterable<Waiter> {
    return this.places.keys();
  }

  /** Waits at the end of its user's line; it may have its turn at once. */
  join(waiter: Waiter): void {
    let user = this.users.get(waiter.userId);
    if (!user) {
      user = { id: waiter.userId, byRoute: new Map(), count: 0 };
      this.users.set(user.id, user);
    }
    this.lastNumber += 1;
    const place = new Place(waiter, user, this.lastNumber);
    this.places.set(waiter, place);
    const line = user.byRoute.get(waiter.route);
    if (line) line.add(place);
    else user.byRoute.set(waiter.route, new Set([place]));
    user.count += 1;
    this.serve();
    this.shorten();
  }

  /** It waits no longer. Does nothing for who does not wait. */
  leave(waiter: Waiter): void {
    const place = this.places.get(waiter);
    if (place) this.remove(place);
  }

  /** There may be a place: the request whose turn it is tries. */
  serve(): void {
    this.chances += 1;
    this.isChanged = true;
    this.goOn();
  }

  private goOn(): void {
    if (this.isServing || this.places.size === 0) return;
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
    // Who was served stands at the end again, and comes once more in the same round.
    for (const user of this.users.values()) if (this.serveUser(user)) this.toEnd(user);
  }

  /** @returns whether one of its requests waits no longer. */
  private serveUser(user: WaitingUser): boolean {
    for (let place = this.nextOf(user); place; place = this.nextOf(user)) {
      const { waiter } = place;
      const isServed = waiter.attempt();
      if (isServed === true) {
        this.remove(place);
        return true;
      }
      if (isServed === false) this.full.set(waiter.route, waiter.tokens);
      else this.ask(place, isServed);
    }
    return false;
  }

  private ask(place: Place, answer: Promise<boolean>): void {
    const { route, tokens } = place.waiter;
    const { chances } = this;
    place.isAsking = true;
    this.asking.add(route);
    void answer.then((isServed) => {
      place.isAsking = false;
      this.asking.delete(route);
      if (isServed && this.places.get(place.waiter) === place) {
        this.remove(place);
        this.toEnd(place.user);
      } else if (!isServed && chances === this.chances) this.full.set(route, tokens);
      this.goOn();
    });
  }

  /** The first of a user's that has not been found to have no place. */
  private nextOf({ byRoute }: WaitingUser): Place | undefined {
    let next: Place | undefined;
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

  private remove(place: Place): void {
    const { waiter, user } = place;
    if (!this.places.delete(waiter)) return;
    const line = user.byRoute.get(waiter.route);
    line?.delete(place);
    if (line?.size === 0) user.byRoute.delete(waiter.route);
    user.count -= 1;
    if (user.count === 0) this.users.delete(user.id);
    if (this.places.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private giveUp(place: Place): void {
    this.remove(place);
    place.waiter.giveUp();
  }

  /** The last one of who waits most often goes, as long as there are too many. */
  private shorten(): void {
    while (this.places.size > this.settings.length()) {
      let most: WaitingUser | undefined;
      for (const user of this.users.values()) if (user.count >= (most?.count ?? 0)) most = user;
      let last: Place | undefined;
      for (const place of this.places.values()) if (place.user === most && !place.isAsking) last = place;
      // The request that is being asked about is told when that is known.
      if (!last) return;
      this.giveUp(last);
    }
  }

  private watch(): void {
    if (this.timer !== undefined || this.places.size === 0) return;
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
    for (const place of [...this.places.values()]) {
      // A request that gave up before it may have made room for it, or have it leave.
      const isWaiting = this.places.get(place.waiter) === place;
      if (isWaiting && place.waiter.deadlineMs <= nowMs && !place.isAsking) this.giveUp(place);
    }
  }
}
