import { type Calendar, HOUR_MS, type Span } from "./calendar";
import { SweepMark } from "./sweep-mark";

const FIXED_PERIODS = ["day", "week", "month", "requests"] as const;

/** Quota of a day, a week and a month, and the requests of a day. */
type FixedPeriod = (typeof FIXED_PERIODS)[number];

/** A number of hours is a window that opens with its first charge. */
export type Period = FixedPeriod | number;

/** Quota or requests in one period. */
interface Window extends Span {
  startMs: number;
  endMs: number;
  /** By all nodes, as far as this node knows. */
  total: number;
  /** By requests of this process. */
  own: number;
  /** The lower bound from storage. */
  floor: number;
  /** Storage's amount when this process started. */
  before: number;
  /** Storage's amount of several rows, while they are read. */
  gathered: number;
  /** The highest reached level of each budget (`tell`). */
  told?: Map<string, number>;
}

interface Spent {
  readonly fixed: Readonly<Record<FixedPeriod, Window>>;
  /** Windows by their hours. */
  hours?: Map<number, Window>;
  /** Lengths of windows that the next charge opens. */
  expected?: Set<number>;
  /** Requests are counted before they are admitted, not when they are charged. */
  isCountedBefore?: boolean;
}

/** One node's report about a period to the others. */
export interface OwnSpending extends Span {
  readonly period: Period;
  /** Storage's amount when the node started, which may contain any node's spending. */
  readonly before: number;
  /** Spending of its own requests since then. */
  readonly own: number;
}

/** Storage's amounts of one key, or of several together. */
export interface StoredSpending {
  quotaSince(startMs: number): number;
  requestsSince(startMs: number): number;
}

/** What a charge adds. */
export interface Amounts {
  /** Negative for a refund. */
  readonly quota: number;
  readonly requests: number;
}

/** Increases of storage's amounts. */
export type Growth = Readonly<Record<FixedPeriod, number>>;

const combine = (one: Growth, other: Growth, combined: (a: number, b: number) => number): Growth => ({
  day: combined(one.day, other.day),
  week: combined(one.week, other.week),
  month: combined(one.month, other.month),
  requests: combined(one.requests, other.requests),
});

export const lesserOf = (one: Growth, other: Growth): Growth => combine(one, other, Math.min);

export const without = (all: Growth, part: Growth): Growth => combine(all, part, (a, b) => a - b);

/** Usage of one period. */
export interface PeriodUse {
  readonly used: number;
  /** Undefined for a window of hours that is not open. */
  readonly span: Span | undefined;
}

const windowOf = ({ startMs, endMs }: Span): Window => ({
  ...{ startMs, endMs, total: 0, own: 0, floor: 0, before: 0, gathered: 0 },
});

const spanOf = (period: FixedPeriod, calendar: Calendar): Span =>
  calendar[period === "requests" ? "day" : period];

/** Windows of hours begin and end with an hour. */
const hoursFrom = (startMs: number, hours: number): Span => ({ startMs, endMs: startMs + hours * HOUR_MS });

const turn = (window: Window, span: Span): void => {
  if (window.startMs === span.startMs) return;
  Object.assign(window, windowOf(span), { told: undefined });
};

const spend = (window: Window, amount: number): void => {
  window.total = Math.max(0, window.total + amount);
  window.own = Math.max(0, window.own + amount);
};

const load = (window: Window, amount: number): void => {
  window.total += amount;
  window.floor += amount;
  window.before += amount;
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

const storedIn = (period: FixedPeriod, { startMs }: Window, stored: StoredSpending): number =>
  period === "requests" ? stored.requestsSince(startMs) : stored.quotaSince(startMs);

/** Quota and requests of keys, users or groups in each period. */
export class Spending<Id> {
  private readonly spent = new Map<Id, Spent>();
  private readonly mark = new SweepMark();

  /** @param isLive whether requests may still query its spending: keys come and go. */
  constructor(private readonly isLive: (id: Id) => boolean) {}

  use(id: Id, period: Period, calendar: Calendar): PeriodUse {
    const known = this.spent.get(id);
    if (typeof period === "number") {
      const window = this.openOf(known, period, calendar);
      return { used: window?.total ?? 0, span: window };
    }
    const span = spanOf(period, calendar);
    const window = known?.fixed[period];
    return { used: window?.startMs === span.startMs ? window.total : 0, span };
  }

  /** The calendar was set back: spending of its periods counts in the current ones. */
  move(from: Calendar, to: Calendar): void {
    for (const { fixed, hours } of this.spent.values()) {
      for (const period of FIXED_PERIODS)
        if (fixed[period].startMs === spanOf(period, from).startMs)
          Object.assign(fixed[period], spanOf(period, to));
      for (const [length, window] of hours ?? [])
        if (window.startMs > to.hour.startMs) Object.assign(window, hoursFrom(to.hour.startMs, length));
    }
  }

  /**
   * Names the windows that charges open unless they are open, in place of those named before.
   * @param lengths in hours.
   * @param kept lengths that stay named, as open windows do; undefined drops all other windows.
   */
  expect(id: Id, lengths: readonly number[], calendar: Calendar, kept?: ReadonlySet<number>): void {
    const spent = this.of(id, calendar);
    const expected = new Set(lengths);
    if (kept)
      for (const length of spent.expected ?? [])
        if (kept.has(length) || this.openOf(spent, length, calendar)) expected.add(length);
    for (const length of spent.hours?.keys() ?? []) if (!expected.has(length)) spent.hours?.delete(length);
    spent.expected = expected;
  }

  /** Counts a request before it is admitted. @param requests -1 takes it back. */
  countRequest(id: Id, requests: 1 | -1, calendar: Calendar): void {
    const spent = this.of(id, calendar);
    spent.isCountedBefore = true;
    spend(spent.fixed.requests, requests);
  }

  /** Counts a charge of this process. @returns the windows that it has opened, by their hours. */
  add(id: Id, { quota, requests }: Amounts, calendar: Calendar): number[] {
    const spent = this.of(id, calendar);
    const { fixed, expected = [] } = spent;
    for (const window of [fixed.day, fixed.week, fixed.month]) spend(window, quota);
    if (!spent.isCountedBefore) spend(fixed.requests, requests);
    const opened: number[] = [];
    for (const length of expected) {
      let window = this.openOf(spent, length, calendar);
      if (!window && quota > 0) {
        window = this.openHours(spent, length, calendar.hour.startMs);
        opened.push(length);
      }
      if (window) spend(window, quota);
    }
    return opened;
  }

  /** Opens a window of hours where the nodes have agreed on its start, or moves the open one there. */
  open(id: Id, length: number, startMs: number, calendar: Calendar): void {
    const span = hoursFrom(startMs, length);
    if (span.endMs <= calendar.hour.startMs) return;
    const spent = this.of(id, calendar);
    spent.expected ??= new Set();
    spent.expected.add(length);
    const window = this.openOf(spent, length, calendar);
    if (window) Object.assign(window, span);
    else this.openHours(spent, length, startMs);
  }

  /** Starts of the open windows of hours. */
  *starts(calendar: Calendar): Generator<number> {
    for (const { hours } of this.spent.values())
      for (const window of hours?.values() ?? [])
        if (window.endMs > calendar.hour.startMs) yield window.startMs;
  }

  /** Loads the amount spent before this process started. */
  load(id: Id, stored: StoredSpending, calendar: Calendar): void {
    const { fixed, hours } = this.of(id, calendar);
    for (const period of FIXED_PERIODS) load(fixed[period], storedIn(period, fixed[period], stored));
    for (const window of hours?.values() ?? []) load(window, stored.quotaSince(window.startMs));
  }

  /** Applies storage's lower bounds. @returns their increase since the last ones. */
  raise(id: Id, stored: StoredSpending, calendar: Calendar): Growth {
    const { fixed } = this.of(id, calendar);
    const growthOf = (period: FixedPeriod): number =>
      Math.max(0, storedIn(period, fixed[period], stored) - fixed[period].floor);
    const growth = {
      day: growthOf("day"),
      week: growthOf("week"),
      month: growthOf("month"),
      requests: growthOf("requests"),
    };
    this.raiseBy(id, growth, calendar);
    return growth;
  }

  /** The same for a subject that is spent by others. @param growth the results of `raise` for them. */
  raiseBy(id: Id, growth: Growth, calendar: Calendar): void {
    const { fixed } = this.of(id, calendar);
    for (const period of FIXED_PERIODS) raise(fixed[period], growth[period]);
  }

  /** Adds a row of storage to the lower bounds of open windows of hours; `settleGathered` applies them. */
  gather(id: Id, stored: StoredSpending): void {
    for (const window of this.spent.get(id)?.hours?.values() ?? [])
      window.gathered += stored.quotaSince(window.startMs);
  }

  settleGathered(): void {
    for (const { hours } of this.spent.values())
      for (const window of hours?.values() ?? []) {
        raise(window, Math.max(0, window.gathered - window.floor));
        window.gathered = 0;
      }
  }

  /** This process's report to the other nodes; windows of hours that are not open are left out. */
  report(id: Id, periods: Iterable<Period>, calendar: Calendar): OwnSpending[] {
    const spent = this.of(id, calendar);
    return [...periods].flatMap((period) => {
      const window = typeof period === "number" ? this.openOf(spent, period, calendar) : spent.fixed[period];
      if (!window) return [];
      const { startMs, endMs, before, own } = window;
      return [{ period, startMs, endMs, before, own }];
    });
  }

  /** Applies the sums of all nodes, which are based on this process's report, in its order. */
  learn(id: Id, reports: readonly OwnSpending[], totals: readonly number[]): void {
    const spent = this.spent.get(id);
    for (const [index, sent] of reports.entries()) {
      const { period } = sent;
      const window = typeof period === "number" ? spent?.hours?.get(period) : spent?.fixed[period];
      const total = totals[index];
      if (window && total !== undefined) learn(window, sent, total);
    }
  }

  /**
   * Notes how much of a budget is used.
   * @param budget a name of the budget, which changes with its amount.
   * @returns whether this level was not reached before in this period.
   */
  tell(id: Id, period: Period, budget: string, level: number): boolean {
    const spent = this.spent.get(id);
    const window = typeof period === "number" ? spent?.hours?.get(period) : spent?.fixed[period];
    if (!window || level <= (window.told?.get(budget) ?? 0)) return false;
    window.told ??= new Map();
    window.told.set(budget, level);
    return true;
  }

  private openOf(spent: Spent | undefined, hours: number, { hour }: Calendar): Window | undefined {
    const window = spent?.hours?.get(hours);
    return window && window.endMs > hour.startMs ? window : undefined;
  }

  private openHours(spent: Spent, length: number, startMs: number): Window {
    const window = windowOf(hoursFrom(startMs, length));
    spent.hours ??= new Map();
    spent.hours.set(length, window);
    return window;
  }

  private of(id: Id, calendar: Calendar): Spent {
    const known = this.spent.get(id);
    if (known) {
      for (const period of FIXED_PERIODS) turn(known.fixed[period], spanOf(period, calendar));
      return known;
    }
    this.sweep(calendar);
    const spent: Spent = {
      fixed: {
        day: windowOf(calendar.day),
        week: windowOf(calendar.week),
        month: windowOf(calendar.month),
        requests: windowOf(calendar.day),
      },
    };
    this.spent.set(id, spent);
    return spent;
  }

  private sweep(calendar: Calendar): void {
    if (!this.mark.isReached(this.spent.size)) return;
    const isCurrent = ({ fixed, hours }: Spent): boolean =>
      fixed.month.startMs === calendar.month.startMs ||
      fixed.week.startMs === calendar.week.startMs ||
      [...(hours?.values() ?? [])].some(({ endMs }) => endMs > calendar.hour.startMs);
    for (const [each, spent] of this.spent)
      if (!isCurrent(spent) || !this.isLive(each)) this.spent.delete(each);
    this.mark.set(this.spent.size);
  }
}
