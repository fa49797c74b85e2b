import { FIVE_HOURS, type Limits } from "@tollgate/contract/management/limits";
import type { LimitHeaders, Standing, Standings, TimedStanding } from "@tollgate/contract/relay/limits";
import { extraLeft } from "@tollgate/contract/values/extra-left";
import type { Refusal } from "../ports/client";
import type { LimitPass, OverBudget } from "../ports/limits";
import type { Span } from "./calendar";
import type { MinuteUse, RateAnswer, RateFault, RateSubject, Scope } from "./rates";
import type { Period } from "./spending";
import { untilNextMinuteMs, waitSeconds } from "./waiting";

/** Limits that count over a longer period than a minute. */
export type BudgetLimit = Exclude<
  keyof Limits,
  "rpm" | "tpm" | "concurrency" | "windowHours" | "softBudgets" | "extraQuota"
>;

/** A budget of a key, a user or a group. */
export interface Budget {
  readonly limit: BudgetLimit;
  readonly period: Period;
  readonly max: number;
}

/** The same with its current use. */
export interface BudgetStanding extends Budget {
  readonly used: number;
  /** Undefined for a window that opens with the next charge. */
  readonly span: Span | undefined;
}

/** A subject whose limits apply to a request. */
export interface Subject extends RateSubject {
  readonly scope: Scope;
  readonly limits: Limits;
  readonly budgets: readonly BudgetStanding[];
  /** The key's or the site's choice answers in place of the requested model: the extra quota may be spent. */
  readonly isReplaced?: boolean;
}

const PERIODS = {
  dailyQuota: "day",
  monthlyQuota: "month",
  weeklyQuota: "week",
  rpd: "requests",
} as const satisfies Partial<Record<BudgetLimit, Period>>;

export const budgetsOf = (limits: Limits): Budget[] => {
  const budgets: Budget[] = [];
  const add = (limit: BudgetLimit, period: Period | undefined): void => {
    const max = limits[limit];
    if (max !== undefined && period !== undefined) budgets.push({ limit, period, max });
  };
  add("dailyQuota", PERIODS.dailyQuota);
  add("monthlyQuota", PERIODS.monthlyQuota);
  add("rpd", PERIODS.rpd);
  add("fiveHourQuota", FIVE_HOURS);
  add("weeklyQuota", PERIODS.weeklyQuota);
  add("windowQuota", limits.windowHours);
  return budgets;
};

/** Whether a used up budget refuses requests. The number of requests always does. */
export const isHard = (limit: BudgetLimit, { softBudgets }: Limits): boolean =>
  limit === "rpd" || softBudgets === undefined;

/** Quota beyond a used up budget, for requests that another model or group answers. A soft budget needs none. */
export const extraOf = (limit: BudgetLimit, limits: Limits): number | undefined =>
  limit !== "rpd" && isHard(limit, limits) ? limits.extraQuota : undefined;

const endOf = ({ span }: BudgetStanding): number => span?.endMs ?? 0;

/** The spending at which a budget refuses requests. */
const boundOf = ({ limit, max }: Budget, { limits, isReplaced }: Subject): number =>
  isReplaced ? max + (extraOf(limit, limits) ?? 0) : max;

/** The used up budget that refuses requests: of several, the one that renews last. */
export const usedUpBudget = (subject: Subject): BudgetStanding | undefined => {
  let last: BudgetStanding | undefined;
  for (const budget of subject.budgets)
    if (
      budget.used >= boundOf(budget, subject) &&
      isHard(budget.limit, subject.limits) &&
      (!last || endOf(budget) >= endOf(last))
    )
      last = { ...budget, max: boundOf(budget, subject) };
  return last;
};

const BUDGET_FAULTS = {
  dailyQuota: "daily-budget-exhausted",
  monthlyQuota: "monthly-budget-exhausted",
  weeklyQuota: "weekly-budget-exhausted",
  fiveHourQuota: "window-budget-exhausted",
  windowQuota: "window-budget-exhausted",
  rpd: "daily-requests-exhausted",
} as const satisfies Record<BudgetLimit, Refusal["code"]>;

/**
 * The used up budget whose requests another model or group may answer: one that only notifies, or one with extra quota
 * left. @returns undefined without one, and when a budget refuses the request in any case.
 */
export const overBudgetOf = (subjects: readonly Subject[]): OverBudget | undefined => {
  let found: OverBudget | undefined;
  for (const subject of subjects) {
    if (usedUpBudget({ ...subject, isReplaced: true })) return undefined;
    for (const { limit, used, max } of subject.budgets) {
      if (used < max || limit === "rpd") continue;
      const isSoft = !isHard(limit, subject.limits);
      if (!found || (found.isSoft && !isSoft)) found = { limit, code: BUDGET_FAULTS[limit], isSoft };
    }
  }
  return found;
};

/** The limit of each fault. */
const RATE_OF = {
  "requests-limited": "rpm",
  "tokens-limited": "tpm",
  "concurrency-limited": "concurrency",
} as const satisfies Record<RateFault, keyof Limits>;

const refusalByBudget = (scope: Scope, budget: BudgetStanding, nowMs: number): Refusal => {
  const { limit, period, max } = budget;
  const seconds = waitSeconds(endOf(budget) - nowMs);
  const minutes = Math.ceil(seconds / 60);
  return {
    code: BUDGET_FAULTS[limit],
    params: {
      scope,
      limit: String(max),
      seconds: String(seconds),
      ...(typeof period === "number" ? { hours: String(period), minutes: String(minutes) } : {}),
    },
    retryAfterSeconds: seconds,
  };
};

const refusalByRate = ({ scope, limits }: Subject, code: RateFault, nowMs: number): Refusal => {
  const seconds = waitSeconds(code === "concurrency-limited" ? 1000 : untilNextMinuteMs(nowMs));
  return {
    code,
    params: { scope, limit: String(limits[RATE_OF[code]]), seconds: String(seconds) },
    retryAfterSeconds: seconds,
  };
};

/** What a client may see of its limits. */
export interface ShownLimits {
  readonly headers: LimitHeaders;
  /** Whether a key may see the budgets of its user. */
  readonly seesAccount: boolean;
}

/** The limiter's answer to a request, from that of the rates. */
export const passOf = (
  { nowMs, uses, outcome }: RateAnswer,
  subjects: readonly Subject[],
  shown: ShownLimits,
): LimitPass | Refusal => {
  const isAdmitted = "leave" in outcome;
  const headers = headersOf(subjects, uses, shown, nowMs, isAdmitted);
  if (isAdmitted) return { headers, leave: outcome.leave };
  const subject = subjects[outcome.refusedBy];
  if (subject && outcome.fault) return { ...refusalByRate(subject, outcome.fault, nowMs), headers };
  const budget = subject && usedUpBudget(subject);
  if (!budget) throw new Error("refused by none of the subjects");
  return { ...refusalByBudget(subject.scope, budget, nowMs), headers };
};

export const headersOf = (
  subjects: readonly Subject[],
  uses: readonly MinuteUse[],
  { headers, seesAccount }: ShownLimits,
  nowMs: number,
  isAdmitted = false,
): Record<string, string> => {
  const standings = standingsOf(subjects, uses, seesAccount, nowMs);
  // The subjects were read before the request itself was counted.
  if (isAdmitted && standings.dailyRequests) standings.dailyRequests.remaining -= 1;
  return headers(standings, untilNextMinuteMs(nowMs), nowMs);
};

const tighter = <S extends Standing>(one: S | undefined, other: S): S =>
  one && one.remaining <= other.remaining ? one : other;

/** A budget, with the quota that it still allows beyond it; infinite where it refuses nothing. */
interface BudgetRest {
  readonly standing: TimedStanding;
  readonly beyond: number;
}

const restOf = (budget: BudgetStanding, { limits }: Subject, nowMs: number): BudgetRest => {
  const { limit, max, used, span } = budget;
  const extra = extraOf(limit, limits);
  const left = extraLeft(extra ?? 0, budget);
  const standing: TimedStanding = {
    limit: max,
    remaining: max - used,
    restMs: span && Math.max(0, span.endMs - nowMs),
    ...(extra === undefined ? {} : { extra: { limit: extra, remaining: left } }),
  };
  return { standing, beyond: isHard(limit, limits) ? left : Number.POSITIVE_INFINITY };
};

/** Of two used up budgets, the one that leaves less beyond it. */
const isTighter = (one: BudgetRest, other: BudgetRest): boolean => {
  const [left, otherLeft] = [one, other].map(({ standing }) => Math.max(0, standing.remaining)) as [
    number,
    number,
  ];
  return left === otherLeft ? one.beyond < other.beyond : left < otherLeft;
};

/** Of several limits, reports the one that is used up first. */
const standingsOf = (
  subjects: readonly Subject[],
  uses: readonly MinuteUse[],
  seesAccount: boolean,
  nowMs: number,
): Standings => {
  const standings: Standings = {
    requests: undefined,
    tokens: undefined,
    dailyRequests: undefined,
    budget: undefined,
  };
  for (const [index, { requests, tokens }] of uses.entries()) {
    const { rpm, tpm } = subjects[index]?.limits ?? {};
    if (rpm !== undefined)
      standings.requests = tighter(standings.requests, { limit: rpm, remaining: rpm - requests });
    if (tpm !== undefined)
      standings.tokens = tighter(standings.tokens, { limit: tpm, remaining: tpm - tokens });
  }
  let budget: BudgetRest | undefined;
  for (const subject of subjects) {
    const { scope, budgets } = subject;
    if (scope === "group" || (scope === "user" && !seesAccount)) continue;
    for (const each of budgets) {
      const rest = restOf(each, subject, nowMs);
      if (each.limit === "rpd") standings.dailyRequests = tighter(standings.dailyRequests, rest.standing);
      else if (!budget || isTighter(rest, budget)) budget = rest;
    }
  }
  return { ...standings, budget: budget?.standing };
};
