import type { Calendar } from "./calendar";
import { SweepMark } from "./sweep-mark";

interface Spent {
  dayStartMs: number;
  day: number;
  monthStartMs: number;
  month: number;
}

/** What keys, users or groups have spent today and this month, in quota. */
export class Spending<Id> {
  private readonly spent = new Map<Id, Spent>();
  private readonly mark = new SweepMark();

  /** @param isLive whether anybody can still ask for what it spent: keys come and go. */
  constructor(private readonly isLive: (id: Id) => boolean) {}

  today(id: Id, { dayStartMs }: Calendar): number {
    const spent = this.spent.get(id);
    return spent?.dayStartMs === dayStartMs ? spent.day : 0;
  }

  thisMonth(id: Id, { monthStartMs }: Calendar): number {
    const spent = this.spent.get(id);
    return spent?.monthStartMs === monthStartMs ? spent.month : 0;
  }

  /** The calendar was set back: what was spent in its day and month counts in those that are now. */
  move(from: Calendar, to: Calendar): void {
    for (const spent of this.spent.values()) {
      if (spent.dayStartMs === from.dayStartMs) spent.dayStartMs = to.dayStartMs;
      if (spent.monthStartMs === from.monthStartMs) spent.monthStartMs = to.monthStartMs;
    }
  }

  /** @param day negative for what is given back. */
  add(id: Id, day: number, month: number, { dayStartMs, monthStartMs }: Calendar): void {
    const spent = this.spent.get(id);
    if (!spent) {
      if (this.mark.isReached(this.spent.size)) {
        for (const [each, { monthStartMs: of }] of this.spent)
          if (of !== monthStartMs || !this.isLive(each)) this.spent.delete(each);
        this.mark.set(this.spent.size);
      }
      this.spent.set(id, { dayStartMs, day, monthStartMs, month });
      return;
    }
    spent.day = spent.dayStartMs === dayStartMs ? Math.max(0, spent.day + day) : Math.max(0, day);
    spent.month = spent.monthStartMs === monthStartMs ? Math.max(0, spent.month + month) : Math.max(0, month);
    spent.dayStartMs = dayStartMs;
    spent.monthStartMs = monthStartMs;
  }
}
