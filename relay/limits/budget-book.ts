import type { Limits } from "@tollgate/contract/management/limits";
import type { HourBudget } from "@tollgate/contract/records/budget-window";
import { type Budget, type BudgetStanding, extraOf, isHard, type Subject } from "./budgets";
import { type Calendar, calendarAt } from "./calendar";
import type { Scope } from "./rates";
import {
  type Amounts,
  lesserOf,
  type OwnSpending,
  type Period,
  Spending,
  type StoredSpending,
  without,
} from "./spending";

type Id = number | string;

/** Spending of a key and its user, from storage. */
export interface SpentBefore extends StoredSpending {
  userId: number;
  keyId: number;
  /** The current groups of the key's requests. */
  groups: readonly string[];
}

/** A node's report to the others about a subject whose budgets its requests use. */
export interface BudgetUse {
  readonly scope: Scope;
  readonly id: number | string;
  readonly spent: readonly OwnSpending[];
}

/** One limit of a request, with its current usage. */
export interface LimitStanding {
  readonly scope: Scope;
  readonly id: number | string;
  readonly limit: keyof Limits;
  readonly max: number;
  readonly used: number;
  /** Length of a budget's window that opens with its first charge. */
  readonly hours?: number;
  /** End of a budget's period, milliseconds since the epoch; undefined before a window's first charge. */
  readonly endMs?: number | undefined;
  /** Whether it refuses no request. */
  readonly isSoft?: boolean;
  /** Quota beyond a budget, for requests that another model or group answers. */
  readonly extra?: number;
  /** Whether the user's plans set it. */
  readonly isOfPlan?: boolean;
}

/** A level of a budget that was reached. */
export interface ReachedLevel extends LimitStanding {
  /** Percent. */
  readonly level: number;
  /** Whether its extra quota is used up as well. */
  readonly isExtraUsedUp?: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

/** The moments since which storage is queried; milliseconds since the epoch. */
export interface BudgetTimes {
  readonly calendar: Calendar;
  readonly startsMs: readonly number[];
}

/** Receives events of budgets. */
export interface BudgetEvents {
  /** A charge has opened a window. The nodes agree on its start (`openWindow`). */
  opened(budget: HourBudget, startMs: number): void;
  /** A level was reached. Reported once by each process. */
  reached(level: ReachedLevel): void;
}

/** Percentages of a budget that are reported. */
const LEVELS = [100, 80, 50] as const;

const NO_HOURS: ReadonlySet<number> = new Set();

/** A clock set back further than this had been far ahead, not just a little fast. */
const FAR_BACK_MS = 24 * 60 * 60 * 1000;

/** A subject with the periods of its budgets. */
interface Met extends Pick<BudgetUse, "scope" | "id"> {
  readonly periods: Set<Period>;
}

/** Existing accounts. The usage of removed ones is dropped. */
export interface KnownAccounts {
  hasKey(id: number): boolean;
  hasUser(id: number): boolean;
}

/** A key, a user or a group. */
export interface Spender {
  readonly scope: Scope;
  readonly id: Id;
}

const sumOf = (rows: readonly StoredSpending[]): StoredSpending => ({
  quotaSince: (startMs) => rows.reduce((sum, row) => sum + row.quotaSince(startMs), 0),
  requestsSince: (startMs) => rows.reduce((sum, row) => sum + row.requestsSince(startMs), 0),
});

/**
 * Spending of keys, users and groups in the periods of their budgets: in memory, starting from the amounts in storage.
 */
export class BudgetBook {
  private readonly spentByKey: Spending<Id>;
  private readonly spentByUser: Spending<Id>;
  private readonly spentByGroup = new Spending<Id>(() => true);
  private calendar: Calendar;
  /**
   * Budgets used by requests since the last report to the other nodes, by scope and id; undefined without other nodes.
   */
  private met: Map<string, Met> | undefined;
  private events: BudgetEvents | undefined;

  /** @param now milliseconds since the epoch. */
  constructor(
    private readonly now: () => number,
    private readonly known: KnownAccounts,
  ) {
    this.calendar = calendarAt(now());
    this.spentByKey = new Spending((id) => known.hasKey(Number(id)));
    this.spentByUser = new Spending((id) => known.hasUser(Number(id)));
  }

  /** The current periods. */
  turn(): Calendar {
    return this.turnCalendar(this.now());
  }

  report(events: BudgetEvents): void {
    this.events = events;
  }

  /** Opens a window of a budget where the nodes have agreed on its start. */
  openWindow({ scope, subject, hours }: HourBudget, startMs: number): void {
    const id = scope === "group" ? subject : Number(subject);
    this.spendingOf(scope).open(id, hours, startMs, this.turn());
  }

  /** Budgets used since the last report whose window is not open here: other nodes may have opened it. */
  closedWindows(): HourBudget[] {
    const calendar = this.calendar;
    return [...(this.met?.values() ?? [])].flatMap(({ scope, id, periods }) =>
      [...periods].flatMap((period) =>
        typeof period === "number" && !this.spendingOf(scope).use(id, period, calendar).span
          ? [{ scope, subject: String(id), hours: period }]
          : [],
      ),
    );
  }

  /** Loads the amounts spent before this process started. */
  load(rows: readonly SpentBefore[]): void {
    const calendar = this.turn();
    for (const row of rows) {
      this.spentByKey.load(row.keyId, row, calendar);
      this.spentByUser.load(row.userId, row, calendar);
      for (const group of row.groups) this.spentByGroup.load(group, row, calendar);
    }
  }

  /** Other nodes spend from the same budgets from now on: `takeMet` lists those used here. */
  share(): void {
    this.met ??= new Map();
  }

  /** The starts of periods to query from storage. */
  budgetTimes(): BudgetTimes {
    const calendar = this.turn();
    const startsMs = new Set([calendar.day.startMs, calendar.week.startMs, calendar.month.startMs]);
    for (const spending of [this.spentByKey, this.spentByUser, this.spentByGroup])
      for (const startMs of spending.starts(calendar)) startsMs.add(startMs);
    return { calendar, startsMs: [...startsMs] };
  }

  /**
   * Raises the spent amounts to storage's totals of all nodes, which are lower bounds. Newly found spending of a key
   * counts in its current groups.
   * @param times the queried moments: a result for a day that is over is ignored.
   */
  raise(rows: readonly SpentBefore[], times: BudgetTimes): void {
    const calendar = this.turn();
    if (calendar.day.startMs !== times.calendar.day.startMs) return;
    const byUser = new Map<number, SpentBefore[]>();
    for (const row of rows) {
      const { userId, keyId, groups } = row;
      const known = byUser.get(userId);
      if (known) known.push(row);
      else byUser.set(userId, [row]);
      this.spentByKey.gather(keyId, row);
      this.spentByUser.gather(userId, row);
      for (const group of groups) this.spentByGroup.gather(group, row);
    }
    for (const [userId, ofUser] of byUser) this.raiseUser(userId, ofUser, calendar);
    for (const spending of [this.spentByKey, this.spentByUser, this.spentByGroup]) spending.settleGathered();
  }

  /** @param rows all of the user's. */
  private raiseUser(userId: number, rows: readonly SpentBefore[], calendar: Calendar): void {
    let left = this.spentByUser.raise(userId, sumOf(rows), calendar);
    let groupsOfDeleted: readonly string[] = [];
    for (const row of rows) {
      if (!this.known.hasKey(row.keyId)) {
        groupsOfDeleted = row.groups;
        continue;
      }
      const growth = lesserOf(this.spentByKey.raise(row.keyId, row, calendar), left);
      left = without(left, growth);
      for (const group of row.groups) this.spentByGroup.raiseBy(group, growth, calendar);
    }
    // Deleted keys are forgotten, so only their user shows how much of their sums is new.
    for (const group of groupsOfDeleted) this.spentByGroup.raiseBy(group, left, calendar);
  }

  /** The budgets used since the last call, with this process's spending. */
  takeMet(): BudgetUse[] {
    if (!this.met || this.met.size === 0) return [];
    const calendar = this.turn();
    const uses = [...this.met.values()].map(({ scope, id, periods }) => ({
      scope,
      id,
      spent: this.spendingOf(scope).report(id, periods, calendar),
    }));
    this.met.clear();
    return uses;
  }

  /** Applies the total spending of all nodes. @param use this node's report; `totals` are in its order. */
  learn(use: BudgetUse, totals: readonly number[]): void {
    this.spendingOf(use.scope).learn(use.id, use.spent, totals);
  }

  /** Restores reports that could not be sent, so that they are sent again. */
  putBack(uses: readonly BudgetUse[]): void {
    for (const { scope, id, spent } of uses)
      this.meet(
        scope,
        id,
        spent.map(({ period }) => period),
      );
  }

  /** The budgets with their current use. */
  standings({ scope, id }: Spender, budgets: readonly Budget[]): BudgetStanding[] {
    const calendar = this.turn();
    const spending = this.spendingOf(scope);
    return budgets.map((budget) => ({ ...budget, ...spending.use(id, budget.period, calendar) }));
  }

  /**
   * A request uses these budgets: its charge opens their windows, and other nodes are asked for their spending. A key
   * has no other windows, because its owner changes its limits at will. Those of users and groups stay until they end.
   * @param perUserHours lengths that other requests of the same user may name.
   */
  meetAll(subjects: readonly Subject[], perUserHours: ReadonlySet<number> = NO_HOURS): void {
    for (const { scope, id, budgets } of subjects) {
      if (budgets.length === 0) continue;
      const periods = budgets.map(({ period }) => period);
      const hours = periods.filter((period) => typeof period === "number");
      const kept = scope === "key" ? undefined : perUserHours;
      if (hours.length > 0) this.spendingOf(scope).expect(id, hours, this.turn(), kept);
      this.meet(scope, id, periods);
    }
  }

  /** Counts a request of the day before it is admitted: its charge counts no other. @param requests -1 takes it back. */
  countRequest({ scope, id }: Spender, requests: 1 | -1): void {
    this.spendingOf(scope).countRequest(id, requests, this.turn());
  }

  add({ scope, id }: Spender, amounts: Amounts): void {
    const calendar = this.turn();
    for (const hours of this.spendingOf(scope).add(id, amounts, calendar))
      this.events?.opened({ scope, subject: String(id), hours }, calendar.hour.startMs);
  }

  /** Reports levels that were reached since the last call. */
  tellLevels(subject: Subject): void {
    if (!this.events) return;
    const { scope, id, budgets, limits } = subject;
    const spending = this.spendingOf(scope);
    for (const { limit, period, max, used, span } of budgets) {
      const level = LEVELS.find((percent) => used >= (max * percent) / 100);
      if (level === undefined || !span || limit === "rpd") continue;
      const name = `${limit} ${max}`;
      const isNew = spending.tell(id, period, name, level);
      const extra = extraOf(limit, limits);
      const isExtraUsedUp = extra !== undefined && used >= max + extra;
      if (isExtraUsedUp ? !spending.tell(id, period, `${name} ${extra}`, level) : !isNew) continue;
      this.events.reached({
        ...{ scope, id, limit, max, used, level, isSoft: !isHard(limit, limits), ...span },
        ...(extra === undefined ? {} : { extra, isExtraUsedUp }),
        ...(typeof period === "number" ? { hours: period } : {}),
      });
    }
  }

  private meet(scope: Scope, id: Id, periods: readonly Period[]): void {
    const name = `${scope} ${id}`;
    const met = this.met?.get(name);
    if (met) for (const period of periods) met.periods.add(period);
    else this.met?.set(name, { scope, id, periods: new Set(periods) });
  }

  private spendingOf(scope: Scope): Spending<Id> {
    if (scope === "key") return this.spentByKey;
    return scope === "user" ? this.spentByUser : this.spentByGroup;
  }

  /**
   * Days only move forward: a clock set back over midnight does not renew a day's budget. A clock that was far ahead is
   * followed back, and the amounts spent meanwhile count as spent now.
   */
  private turnCalendar(nowMs: number): Calendar {
    const before = this.calendar;
    if (nowMs >= before.hour.endMs || nowMs >= before.day.endMs) this.calendar = calendarAt(nowMs);
    else if (nowMs < before.day.startMs - FAR_BACK_MS) {
      this.calendar = calendarAt(nowMs);
      for (const spending of [this.spentByKey, this.spentByUser, this.spentByGroup])
        spending.move(before, this.calendar);
    }
    return this.calendar;
  }
}
