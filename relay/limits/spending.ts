import type { Calendar } from "./calendar";
import { SweepMark } from "./sweep-mark";

/** What was spent in one day or one month, in quota. */
interface Window {
  startMs: number;
  /** By all nodes, as far as it is known here. */
  total: number;
  /** By requests of this process. */
  own: number;
  /** What storage says at least. */
  floor: number;
  /** What storage said when this process began. */
  before: number;
}

interface Spent {
  readonly day: Window;
  readonly month: Window;
}

/** What one node says of a day or a month to the others. */
export interface OwnSpending {
  readonly startMs: number;
  /** What storage said when the node began: of this it knows not whose it is. */
  readonly before: number;
  /** What its own requests have spent since. */
  readonly own: number;
}

/** What a key, user or group has spent of a day and of a month. */
export interface SpentQuota {
  readonly day: number;
  readonly month: number;
}

const windowOf = (startMs: number): Window => ({ startMs, total: 0, own: 0, floor: 0, before: 0 });

const turn = (window: Window, startMs: number): void => {
  if (window.startMs === startMs) return;
  Object.assign(window, windowOf(startMs));
};

const spend = (window: Window, quota: number): void => {
  window.total = Math.max(0, window.total + quota);
  window.own = Math.max(0, window.own + quota);
};

const load = (window: Window, quota: number): void => {
  window.total += quota;
  window.floor += quota;
  window.before += quota;
};

/** Of several nodes none knows all: what storage says holds at least. */
const raise = (window: Window, growth: number): void => {
  window.floor += growth;
  window.total = Math.max(window.total, window.floor);
};

/** @param sent what was said of this process, when the others said their sum with it. */
const learn = (window: Window, sent: OwnSpending, total: number): void => {
  if (window.startMs !== sent.startMs) return;
  window.total = Math.max(window.floor, total - sent.own + window.own);
};

const say = ({ startMs, before, own }: Window): OwnSpending => ({ startMs, before, own });

/** What keys, users or groups have spent today and this month, in quota. */
export class Spending<Id> {
  private readonly spent = new Map<Id, Spent>();
  private readonly mark = new SweepMark();

  /** @param isLive whether a request can still ask for what it spent: keys come and go. */
  constructor(private readonly isLive: (id: Id) => boolean) {}

  today(id: Id, { dayStartMs }: Calendar): number {
    const day = this.spent.get(id)?.day;
    return day?.startMs === dayStartMs ? day.total : 0;
  }

  thisMonth(id: Id, { monthStartMs }: Calendar): number {
    const month = this.spent.get(id)?.month;
    return month?.startMs === monthStartMs ? month.total : 0;
  }

  /** The calendar was set back: what was spent in its day and month counts in those that are now. */
  move(from: Calendar, to: Calendar): void {
    for (const { day, month } of this.spent.values()) {
      if (day.startMs === from.dayStartMs) day.startMs = to.dayStartMs;
      if (month.startMs === from.monthStartMs) month.startMs = to.monthStartMs;
    }
  }

  /** A request of this process was charged. @param quota negative for what is given back. */
  add(id: Id, quota: number, calendar: Calendar): void {
    const { day, month } = this.of(id, calendar);
    spend(day, quota);
    spend(month, quota);
  }

  /** What was spent before this process began. */
  load(id: Id, quota: SpentQuota, calendar: Calendar): void {
    const { day, month } = this.of(id, calendar);
    load(day, quota.day);
    load(month, quota.month);
  }

  /** Storage says how much it is at least. @returns by how much more that is than it said before. */
  raise(id: Id, quota: SpentQuota, calendar: Calendar): SpentQuota {
    const { day, month } = this.of(id, calendar);
    const growth = {
      day: Math.max(0, quota.day - day.floor),
      month: Math.max(0, quota.month - month.floor),
    };
    this.raiseBy(id, growth, calendar);
    return growth;
  }

  /** The same of what spends together with others. @param growth what `raise` said of one of them. */
  raiseBy(id: Id, growth: SpentQuota, calendar: Calendar): void {
    const { day, month } = this.of(id, calendar);
    raise(day, growth.day);
    raise(month, growth.month);
  }

  /** What this process says to the other nodes. */
  say(id: Id, calendar: Calendar): { day: OwnSpending; month: OwnSpending } {
    const { day, month } = this.of(id, calendar);
    return { day: say(day), month: say(month) };
  }

  /** The other nodes have said how much all have spent, with what this process `said`. */
  learn(id: Id, said: { day: OwnSpending; month: OwnSpending }, total: SpentQuota): void {
    const spent = this.spent.get(id);
    if (!spent) return;
    learn(spent.day, said.day, total.day);
    learn(spent.month, said.month, total.month);
  }

  private of(id: Id, { dayStartMs, monthStartMs }: Calendar): Spent {
    const known = this.spent.get(id);
    if (known) {
      turn(known.day, dayStartMs);
      turn(known.month, monthStartMs);
      return known;
    }
    if (this.mark.isReached(this.spent.size)) {
      for (const [each, { month }] of this.spent)
        if (month.startMs !== monthStartMs || !this.isLive(each)) this.spent.delete(each);
      this.mark.set(this.spent.size);
    }
    const spent = { day: windowOf(dayStartMs), month: windowOf(monthStartMs) };
    this.spent.set(id, spent);
    return spent;
  }
}
