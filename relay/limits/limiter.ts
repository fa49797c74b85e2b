import type { GroupLimits, Limits } from "@tollgate/contract/management/limits";
import type { LimitHeaders, Standing, Standings } from "@tollgate/contract/relay/limits";
import type { Refusal } from "../ports/client";
import type { ApiKey } from "../ports/directory";
import type { LimitPass, RequestLimiter } from "../ports/limits";
import { type Calendar, calendarAt } from "./calendar";
import { MemoryRates } from "./memory-rates";
import type { MinuteUse, RateAnswer, RateFault, RateSubject, Rates, Scope } from "./rates";
import { type OwnSpending, Spending, type SpentQuota } from "./spending";
import { untilNextMinuteMs, waitSeconds } from "./waiting";

/** Quota spent by a key and its user, from storage. */
export interface SpentBefore {
  userId: number;
  keyId: number;
  /** The current groups of the key's requests. */
  groups: readonly string[];
  dayQuota: number;
  monthQuota: number;
}

/** A node's report to the others about a subject whose budget its requests use. */
export interface BudgetUse {
  readonly scope: Scope;
  readonly id: number | string;
  readonly day: OwnSpending;
  readonly month: OwnSpending;
}

/** One limit of a request, with its current usage. */
export interface LimitStanding {
  readonly scope: Scope;
  readonly id: number | string;
  readonly limit: keyof Limits;
  readonly max: number;
  readonly used: number;
}

/** The days and months for querying storage; milliseconds since the epoch. */
export type BudgetTimes = Pick<Calendar, "dayStartMs" | "monthStartMs">;

/** A clock set back further than this had been far ahead, not just a little fast. */
const FAR_BACK_MS = 24 * 60 * 60 * 1000;

/** A subject whose limits apply to a request. */
interface Subject extends RateSubject {
  readonly scope: Scope;
  readonly limits: Limits;
  readonly today: number;
  readonly thisMonth: number;
}

/** Requests to find limits for: those of a key, or of a user without one. */
export interface LimitedRequests extends Pick<ApiKey, "user"> {
  readonly id?: number;
  readonly limits?: Limits | undefined;
}

/** Existing accounts. The usage of removed ones is dropped. */
export interface KnownAccounts {
  hasKey(id: number): boolean;
  hasUser(id: number): boolean;
}

/** A limit of the user or key takes precedence over the group's limit for all its users. */
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
 * Limits per key, user and group. Minutes and running requests are counted from zero at each start, or by all nodes
 * together; days and months in memory, starting from the amounts in storage. A request without limits leaves no trace.
 */
export class Limiter implements RequestLimiter {
  private groups: ReadonlyMap<string, GroupLimits> = new Map();
  private readonly spentByKey: Spending<number | string>;
  private readonly spentByUser: Spending<number | string>;
  private readonly spentByGroup = new Spending<number | string>(() => true);
  private calendar: Calendar;
  /**
   * Budgets used by requests since the last report to the other nodes, by scope and id; undefined without other nodes.
   */
  private met: Map<string, Pick<BudgetUse, "scope" | "id">> | undefined;

  /**
   * @param now milliseconds since the epoch.
   * @param rates counts minutes and running requests.
   */
  constructor(
    private readonly now: () => number,
    { hasKey, hasUser }: KnownAccounts,
    private readonly rates: Rates = new MemoryRates(now),
  ) {
    this.calendar = calendarAt(now());
    this.spentByKey = new Spending((id) => hasKey(Number(id)));
    this.spentByUser = new Spending((id) => hasUser(Number(id)));
  }

  setGroups(groups: ReadonlyMap<string, GroupLimits>): void {
    this.groups = groups;
  }

  /** Loads the amounts spent before this process started. */
  load(rows: readonly SpentBefore[]): void {
    const calendar = this.turnCalendar(this.now());
    for (const { userId, keyId, groups, dayQuota, monthQuota } of rows) {
      const quota = { day: dayQuota, month: monthQuota };
      this.spentByKey.load(keyId, quota, calendar);
      this.spentByUser.load(userId, quota, calendar);
      for (const group of groups) this.spentByGroup.load(group, quota, calendar);
    }
  }

  /** Other nodes spend from the same budgets from now on: `takeMet` lists those used here. */
  share(): void {
    this.met ??= new Map();
  }

  /** The days and months to query from storage. */
  budgetTimes(): BudgetTimes {
    return this.turnCalendar(this.now());
  }

  /**
   * Raises the spent amounts to storage's totals of all nodes, which are lower bounds. Newly found spending of a key
   * counts in its user's current groups.
   * @param times the queried days and months: a result for a day that is over is ignored.
   */
  raise(rows: readonly SpentBefore[], times: BudgetTimes): void {
    const calendar = this.turnCalendar(this.now());
    if (calendar.dayStartMs !== times.dayStartMs || calendar.monthStartMs !== times.monthStartMs) return;
    for (const { userId, keyId, groups, dayQuota, monthQuota } of rows) {
      const growth = this.spentByKey.raise(keyId, { day: dayQuota, month: monthQuota }, calendar);
      if (growth.day === 0 && growth.month === 0) continue;
      this.spentByUser.raiseBy(userId, growth, calendar);
      for (const group of groups) this.spentByGroup.raiseBy(group, growth, calendar);
    }
  }

  /** The budgets used since the last call, with this process's spending. */
  takeMet(): BudgetUse[] {
    if (!this.met || this.met.size === 0) return [];
    const calendar = this.turnCalendar(this.now());
    const uses = [...this.met.values()].map(({ scope, id }) => ({
      scope,
      id,
      ...this.spendingOf(scope).report(id, calendar),
    }));
    this.met.clear();
    return uses;
  }

  /** Applies the total spending of all nodes. @param use this node's report. */
  learn(use: BudgetUse, total: SpentQuota): void {
    this.spendingOf(use.scope).learn(use.id, use, total);
  }

  /** Restores reports that could not be sent, so that they are sent again. */
  putBack(uses: readonly Pick<BudgetUse, "scope" | "id">[]): void {
    for (const use of uses) this.meet(use);
  }

  /**
   * Admits a request, or returns the refusal. A budget is checked before a request: requests that are running when it
   * is used up continue, so their cost can exceed it.
   */
  enter(
    key: ApiKey,
    asked: { readonly promptTokens: number },
    limitHeaders: LimitHeaders,
    groups: readonly string[] = key.user.groups,
  ): LimitPass | Refusal | undefined | Promise<LimitPass | Refusal> {
    if (!this.isLimited(key, groups)) return undefined;
    const calendar = this.turnCalendar(this.now());
    const subjects = this.subjectsOf(key, groups, calendar);
    if (subjects.length === 0) return undefined;
    if (this.met) for (const subject of subjects) if (hasBudget(subject)) this.meet(subject);
    const { promptTokens } = asked;
    const tooSmall = subjects.findIndex(({ limits: { tpm } }) => tpm !== undefined && promptTokens > tpm);
    if (tooSmall !== -1) return this.refuseTooLarge(subjects, tooSmall, promptTokens, limitHeaders);
    const barred = subjects.findIndex((subject) => budgetFault(subject) !== undefined);
    const answer = this.rates.enter(subjects, promptTokens, barred);
    const toAnswer = (report: RateAnswer): LimitPass | Refusal =>
      passOf(report, subjects, calendar, limitHeaders);
    return "then" in answer ? answer.then(toAnswer) : toAnswer(answer);
  }

  /**
   * Refuses a prompt that will never fit; this takes precedence over temporary refusals. @param at index of the
   * subject.
   */
  private refuseTooLarge(
    subjects: readonly Subject[],
    at: number,
    promptTokens: number,
    limitHeaders: LimitHeaders,
  ): Refusal | Promise<Refusal> {
    const { scope, limits } = subjects[at] as Subject;
    const params = { scope, limit: String(limits.tpm), tokens: String(promptTokens) };
    const toAnswer = (looked: readonly MinuteUse[]): Refusal => {
      const nowMs = this.now();
      const headers = limitHeaders(standingsOf(subjects, looked), untilNextMinuteMs(nowMs), nowMs);
      return { code: "prompt-over-limit", params, headers };
    };
    const looked = this.rates.look(subjects);
    return "then" in looked ? looked.then(toAnswer) : toAnswer(looked);
  }

  /**
   * Every limit of a key's requests, or of a user without one. Counts nothing. Minutes and running requests are those
   * of all nodes when these count together, else this node's.
   */
  async look(
    of: LimitedRequests,
    groups: readonly string[] = of.user.groups,
  ): Promise<readonly LimitStanding[]> {
    const subjects = this.subjectsOf(of, groups, this.turnCalendar(this.now()));
    const uses = await this.rates.look(subjects);
    return subjects.flatMap(({ scope, id, limits, today, thisMonth }, index) => {
      const { requests = 0, tokens = 0, active = 0 } = uses[index] ?? {};
      const used = {
        rpm: requests,
        tpm: tokens,
        concurrency: active,
        dailyQuota: today,
        monthlyQuota: thisMonth,
      } satisfies Record<keyof Limits, number>;
      return (Object.keys(used) as (keyof Limits)[]).flatMap((limit): LimitStanding[] => {
        const max = limits[limit];
        return max === undefined ? [] : [{ scope, id, limit, max, used: used[limit] }];
      });
    });
  }

  /**
   * Counts a request's usage. Called for every charge, so it only adds.
   * @param group the group of the request: the usage of a key with its own group counts only there.
   */
  charge(key: ApiKey, tokens: number, quota: number, group?: string): void {
    const groups = countedIn(key, group);
    this.spend(key, groups, quota, this.now());
    this.rates.add("key", key.id, tokens);
    this.rates.add("user", key.user.id, tokens);
    if (this.groups.size > 0) for (const each of groups) this.rates.add("group", each, tokens);
  }

  refund(key: ApiKey, quota: number, group?: string): void {
    this.spend(key, countedIn(key, group), -quota, this.now());
  }

  private spend(key: ApiKey, groups: readonly string[], quota: number, nowMs: number): void {
    const calendar = this.turnCalendar(nowMs);
    this.spentByKey.add(key.id, quota, calendar);
    this.spentByUser.add(key.user.id, quota, calendar);
    for (const group of groups) this.spentByGroup.add(group, quota, calendar);
    if (!this.met || !this.isLimited(key, groups)) return;
    for (const subject of this.subjectsOf(key, groups, calendar)) if (hasBudget(subject)) this.meet(subject);
  }

  private meet({ scope, id }: Pick<BudgetUse, "scope" | "id">): void {
    this.met?.set(`${scope} ${id}`, { scope, id });
  }

  private spendingOf(scope: Scope): Spending<number | string> {
    if (scope === "key") return this.spentByKey;
    return scope === "user" ? this.spentByUser : this.spentByGroup;
  }

  private isLimited({ limits, user }: ApiKey, groups: readonly string[]): boolean {
    if (limits || user.limits) return true;
    return this.groups.size > 0 && groups.some((group) => this.groups.has(group));
  }

  /**
   * Days only move forward: a clock set back over midnight does not renew a day's budget. A clock that was far ahead is
   * followed back, and the amounts spent meanwhile count as spent now.
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

  /**
   * A request with several possible groups is limited by each; the limit per user comes from the first group that sets
   * one.
   */
  private subjectsOf(
    { id: keyId, user, limits }: LimitedRequests,
    groups: readonly string[],
    calendar: Calendar,
  ): Subject[] {
    const subjects: Subject[] = [];
    const add = (scope: Scope, id: number | string, limits: Limits | undefined): void => {
      if (!limits) return;
      const spending = this.spendingOf(scope);
      const today = spending.today(id, calendar);
      const thisMonth = spending.thisMonth(id, calendar);
      subjects.push({ scope, id, limits, today, thisMonth });
    };
    if (keyId !== undefined) add("key", keyId, limits);
    const perUser = groups.map((group) => this.groups.get(group)?.perUser).find(Boolean);
    add("user", user.id, ownOr(user.limits, perUser));
    for (const group of groups) add("group", group, this.groups.get(group)?.group);
    return subjects;
  }
}

/** The groups in which a charge counts: all of the user's, or for a key with its own group only the serving group. */
const countedIn = ({ group: own, user }: ApiKey, group: string | undefined): readonly string[] =>
  own === undefined || group === undefined || group === "" ? user.groups : [group];

const hasBudget = ({ limits: { dailyQuota, monthlyQuota } }: Subject): boolean =>
  dailyQuota !== undefined || monthlyQuota !== undefined;

type BudgetFault = "monthly-budget-exhausted" | "daily-budget-exhausted";

const budgetFault = ({ limits, today, thisMonth }: Subject): BudgetFault | undefined => {
  const { dailyQuota, monthlyQuota } = limits;
  if (monthlyQuota !== undefined && thisMonth >= monthlyQuota) return "monthly-budget-exhausted";
  return dailyQuota !== undefined && today >= dailyQuota ? "daily-budget-exhausted" : undefined;
};

/** The limit of each fault. */
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

/** Of several limits, reports the one that is used up first. */
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
