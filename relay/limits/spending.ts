import type { Calendar } from "./calendar";
import { SweepMark } from "./sweep-mark";

/** Quota spent in one day or one month. */
interface Window {
  startMs: number;
  /** By all nodes, as far as this node knows. */
  total: number;
  /** By requests of this process. */
  own: number;
  /** The lower bound from storage. */
  floor: number;
  /** Storage's amount when this process started. */
  before: number;
}

interface Spent {
  readonly day: Window;
  readonly month: Window;
}

/** One node's report about a day or a month to the others. */
export interface OwnSpending {
  readonly startMs: number;
  /** Storage's amount when the node started, which may contain any node's spending. */
  readonly before: number;
  /** Spending of its own requests since then. */
  readonly own: number;
}

/** Quota spent by a key, user or group in a day and in a month. */
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

/** No single node knows everything: storage's amount is a lower bound. */
const raise = (window: Window, growth: number): void => {
  window.floor += growth;
  window.total = Math.max(window.total, window.floor);
};

/** @param sent this process's report, on which the others' sum is based. */
const learn = (window: Window, sent: OwnSpending, total: number): void => {
  if (window.startMs !== sent.startMs) return;
  window.total = Math.max(window.floor, total - sent.own + window.own);
};

const report = ({ startMs, before, own }: Window): OwnSpending => ({ startMs, before, own });

/** Quota spent by keys, users or groups today and this month. */
export class Spending<Id> {
  private readonly spent = new Map<Id, Spent>();
  private readonly mark = new SweepMark();

  /** @param isLive whether requests may still query its spending: keys come and go. */
  constructor(private readonly isLive: (id: Id) => boolean) {}

  today(id: Id, { dayStartMs }: Calendar): number {
    const day = this.spent.get(id)?.day;
    return day?.startMs === dayStartMs ? day.total : 0;
  }

  thisMonth(id: Id, { monthStartMs }: Calendar): number {
    const month = this.spent.get(id)?.month;
    return month?.startMs === monthStartMs ? month.total : 0;
  }

  /** The calendar was set back: spending of its day and month counts in the current ones. */
  move(from: Calendar, to: Calendar): void {
    for (const { day, month } of this.spent.values()) {
      if (day.startMs === from.dayStartMs) day.startMs = to.dayStartMs;
      if (month.startMs === from.monthStartMs) month.startMs = to.monthStartMs;
    }
  }

  /** Counts a charge of this process. @param quota negative for a refund. */
  add(id: Id, quota: number, calendar: Calendar): void {
    const { day, month } = this.of(id, calendar);
    spend(day, quota);
    spend(month, quota);
  }

  /** Loads the amount spent before this process started. */
  load(id: Id, quota: SpentQuota, calendar: Calendar): void {
    const { day, month } = this.of(id, calendar);
    load(day, quota.day);
    load(month, quota.month);
  }

  /** Applies storage's lower bound. @returns its increase since the last one. */
  raise(id: Id, quota: SpentQuota, calendar: Calendar): SpentQuota {
    const { day, month } = this.of(id, calendar);
    const growth = {
      day: Math.max(0, quota.day - day.floor),
      month: Math.max(0, quota.month - month.floor),
    };
    this.raiseBy(id, growth, calendar);
    return growth;
  }

  /** The same for a subject that spends together with others. @param growth the result of `raise` for one of them. */
  raiseBy(id: Id, growth: SpentQuota, calendar: Calendar): void {
    const { day, month } = this.of(id, calendar);
    raise(day, growth.day);
    raise(month, growth.month);
  }

  /** This process's report to the other nodes. */
  report(id: Id, calendar: Calendar): { day: OwnSpending; month: OwnSpending } {
    const { day, month } = this.of(id, calendar);
    return { day: report(day), month: report(month) };
  }

  /** Applies the sum of all nodes, which is based on this process's report. */
  learn(id: Id, report: { day: OwnSpending; month: OwnSpending }, total: SpentQuota): void {
    const spent = this.spent.get(id);
    if (!spent) return;
    learn(spent.day, report.day, total.day);
    learn(spent.month, report.month, total.month);
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
