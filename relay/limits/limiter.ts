import type { GroupLimits, Limits } from "@tollgate/contract/management/limits";
import type { LimitHeaders, Standing, Standings } from "@tollgate/contract/relay/limits";
import type { ApiKey, LimitPass, Refusal, RequestLimiter } from "../ports";
import { type Calendar, calendarAt } from "./calendar";
import { MemoryRates } from "./memory-rates";
import type { MinuteUse, RateAnswer, RateFault, RateSubject, Rates, Scope } from "./rates";
import { Spending } from "./spending";
import { untilNextMinuteMs, waitSeconds } from "./waiting";

/** What a key and its user have spent, from storage. */
export interface SpentBefore {
  userId: number;
  keyId: number;
  /** The groups of the user now. */
  groups: readonly string[];
  dayQuota: number;
  monthQuota: number;
}

/** How far a clock is set back that had not merely run a little fast. */
const FAR_BACK_MS = 24 * 60 * 60 * 1000;

/** One of those whose limits a request meets. */
interface Subject extends RateSubject {
  readonly limits: Limits;
  readonly today: number;
  readonly thisMonth: number;
}

/** Who there is. What others have used is forgotten. */
export interface KnownAccounts {
  hasKey(id: number): boolean;
  hasUser(id: number): boolean;
}

/** Where something of one's own is set, it goes before what holds for everybody of the group. */
const ownOr = (own: Limits | undefined, common: Limits | undefined): Limits | undefined => {
  if (!own || !common) return own ?? common;
  return {
    rpm: own.rpm ?? common.rpm,
    tpm: own.tpm ?? common.tpm,
    concurrency: own.concurrency ?? common.concurrency,
    dailyQuota: own.dailyQuota ?? common.dailyQuota,
    monthlyQuota: own.monthlyQuota ?? common.monthlyQuota,
  };
};

/**
 * Limits per key, user and group. Minutes and requests under way are counted from zero at each start, or by all nodes
 * together; days and months in memory, from what storage says was spent. A request that nothing limits passes without a trace.
 */
export class Limiter implements RequestLimiter {
  private groups: ReadonlyMap<string, GroupLimits> = new Map();
  private readonly spentByKey: Spending<number>;
  private readonly spentByUser: Spending<number>;
  private readonly spentByGroup = new Spending<string>(() => true);
  private calendar: Calendar;

  /**
   * @param now milliseconds since the epoch.
   * @param rates where minutes and requests under way are counted.
   */
  constructor(
    private readonly now: () => number,
    { hasKey, hasUser }: KnownAccounts,
    private readonly rates: Rates = new MemoryRates(now),
  ) {
    this.calendar = calendarAt(now());
    this.spentByKey = new Spending(hasKey);
    this.spentByUser = new Spending(hasUser);
  }

  setGroups(groups: ReadonlyMap<string, GroupLimits>): void {
    this.groups = groups;
  }

  /** Takes over what was spent before this process began. */
  load(rows: readonly SpentBefore[]): void {
    const calendar = this.turnCalendar(this.now());
    for (const { userId, keyId, groups, dayQuota, monthQuota } of rows) {
      this.spentByKey.add(keyId, dayQuota, monthQuota, calendar);
      this.spentByUser.add(userId, dayQuota, monthQuota, calendar);
      for (const group of groups) this.spentByGroup.add(group, dayQuota, monthQuota, calendar);
    }
  }

  /**
   * Lets a request in, or says why not. A budget is checked before a request: those under way when it is used up end as
   * they would, so it can be exceeded by what they cost.
   */
  enter(
    key: ApiKey,
    asked: { readonly promptTokens: number },
    limitHeaders: LimitHeaders,
  ): LimitPass | Refusal | undefined | Promise<LimitPass | Refusal> {
    const isGroupLimited = this.groups.size > 0 && key.user.groups.some((group) => this.groups.has(group));
    if (!key.limits && !key.user.limits && !isGroupLimited) return undefined;
    const calendar = this.turnCalendar(this.now());
    const subjects = this.subjectsOf(key, calendar);
    if (subjects.length === 0) return undefined;
    const barred = subjects.findIndex((subject) => budgetFault(subject) !== undefined);
    const answer = this.rates.enter(subjects, asked.promptTokens, barred);
    const tell = (said: RateAnswer): LimitPass | Refusal => passOf(said, subjects, calendar, limitHeaders);
    return "then" in answer ? answer.then(tell) : tell(answer);
  }

  /** Counts what a request used. Called for every charge, so it does no more than to add. */
  charge(key: ApiKey, tokens: number, quota: number): void {
    this.spend(key, quota, this.now());
    this.rates.add("key", key.id, tokens);
    this.rates.add("user", key.user.id, tokens);
    if (this.groups.size > 0) for (const group of key.user.groups) this.rates.add("group", group, tokens);
  }

  /** A charge was taken back. */
  refund(key: ApiKey, quota: number): void {
    this.spend(key, -quota, this.now());
  }

  private spend(key: ApiKey, quota: number, nowMs: number): void {
    const calendar = this.turnCalendar(nowMs);
    this.spentByKey.add(key.id, quota, quota, calendar);
    this.spentByUser.add(key.user.id, quota, quota, calendar);
    for (const group of key.user.groups) this.spentByGroup.add(group, quota, quota, calendar);
  }

  /**
   * Days go forward only: a clock that is set back over midnight gives nobody the budget of a day once more. One that was
   * far ahead is followed back, and what was spent meanwhile counts as spent now.
   */
  private turnCalendar(nowMs: number): Calendar {
    const before = this.calendar;
    if (nowMs >= before.dayEndMs) this.calendar = calendarAt(nowMs);
    else if (nowMs < before.dayStartMs - FAR_BACK_MS) {
      this.calendar = calendarAt(nowMs);
      for (const spending of [this.spentByKey, this.spentByUser, this.spentByGroup])
        spending.move(before, this.calendar);
    }
    return this.calendar;
  }

  /** A user of several groups is limited by each; by what a group sets for each of its users, of the first that does. */
  private subjectsOf({ id, user, limits }: ApiKey, calendar: Calendar): Subject[] {
    const subjects: Subject[] = [];
    const add = <Id extends number | string>(
      scope: Scope,
      id: Id,
      limits: Limits | undefined,
      spending: Spending<Id>,
    ): void => {
      if (!limits) return;
      const today = spending.today(id, calendar);
      const thisMonth = spending.thisMonth(id, calendar);
      subjects.push({ scope, id, limits, today, thisMonth });
    };
    add("key", id, limits, this.spentByKey);
    const perUser = user.groups.map((group) => this.groups.get(group)?.perUser).find(Boolean);
    add("user", user.id, ownOr(user.limits, perUser), this.spentByUser);
    for (const group of user.groups) add("group", group, this.groups.get(group)?.group, this.spentByGroup);
    return subjects;
  }
}

type BudgetFault = "monthly-budget-exhausted" | "daily-budget-exhausted";

const budgetFault = ({ limits, today, thisMonth }: Subject): BudgetFault | undefined => {
  const { dailyQuota, monthlyQuota } = limits;
  if (monthlyQuota !== undefined && thisMonth >= monthlyQuota) return "monthly-budget-exhausted";
  return dailyQuota !== undefined && today >= dailyQuota ? "daily-budget-exhausted" : undefined;
};

/** Which limit each fault is about. */
const LIMIT_OF = {
  "monthly-budget-exhausted": "monthlyQuota",
  "daily-budget-exhausted": "dailyQuota",
  "requests-limited": "rpm",
  "tokens-limited": "tpm",
  "concurrency-limited": "concurrency",
} as const satisfies Record<BudgetFault | RateFault, keyof Limits>;

/** Milliseconds until trying again is worth while. */
const waitMs = (code: BudgetFault | RateFault, { dayEndMs, monthEndMs }: Calendar, nowMs: number): number => {
  if (code === "monthly-budget-exhausted") return monthEndMs - nowMs;
  if (code === "daily-budget-exhausted") return dayEndMs - nowMs;
  return code === "concurrency-limited" ? 1000 : untilNextMinuteMs(nowMs);
};

const refusalOf = (
  { scope, limits }: Subject,
  code: BudgetFault | RateFault,
  calendar: Calendar,
  nowMs: number,
): Refusal => {
  const seconds = waitSeconds(waitMs(code, calendar, nowMs));
  return {
    code,
    params: { scope, limit: String(limits[LIMIT_OF[code]]), seconds: String(seconds) },
    retryAfterSeconds: seconds,
  };
};

const passOf = (
  { nowMs, uses, outcome }: RateAnswer,
  subjects: readonly Subject[],
  calendar: Calendar,
  limitHeaders: LimitHeaders,
): LimitPass | Refusal => {
  const headers = limitHeaders(standingsOf(subjects, uses), untilNextMinuteMs(nowMs), nowMs);
  if ("leave" in outcome) return { headers, leave: outcome.leave };
  const subject = subjects[outcome.refusedBy];
  const code = outcome.fault ?? (subject && budgetFault(subject));
  if (!subject || !code) throw new Error("refused by none of the subjects");
  return { ...refusalOf(subject, code, calendar, nowMs), headers };
};

const tighter = (one: Standing | undefined, other: Standing): Standing =>
  one && one.remaining <= other.remaining ? one : other;

/** Of several limits, the one that is used up first is told. */
const standingsOf = (subjects: readonly Subject[], uses: readonly MinuteUse[]): Standings => {
  const standings: Standings = { requests: undefined, tokens: undefined };
  for (const [index, { requests, tokens }] of uses.entries()) {
    const { rpm, tpm } = subjects[index]?.limits ?? {};
    if (rpm !== undefined)
      standings.requests = tighter(standings.requests, { limit: rpm, remaining: rpm - requests });
    if (tpm !== undefined)
      standings.tokens = tighter(standings.tokens, { limit: tpm, remaining: tpm - tokens });
  }
  return standings;
};
