import { type GroupLimits, LIMITS, type Limits } from "@tollgate/contract/management/limits";
import type { LimitHeaders } from "@tollgate/contract/relay/limits";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import type { Refusal } from "../ports/client";
import type { ApiKey } from "../ports/directory";
import type { LimitPass, OverBudget, RequestLimiter } from "../ports/limits";
import { BudgetBook, type KnownAccounts, type LimitStanding } from "./budget-book";
import {
  budgetsOf,
  extraOf,
  headersOf,
  isHard,
  overBudgetOf,
  passOf,
  type ShownLimits,
  type Subject,
  usedUpBudget,
} from "./budgets";
import { MemoryRates } from "./memory-rates";
import type { MinuteUse, RateAnswer, Rates, Scope } from "./rates";

/** Requests to find limits for: those of a key, or of a user without one. */
export interface LimitedRequests extends Pick<ApiKey, "user"> {
  readonly id?: number;
  readonly limits?: Limits | undefined;
}

const LIMIT_NAMES = Object.keys(LIMITS) as (keyof Limits)[];

/** Limits that take precedence as a pair. */
const withoutWindow = ({ windowHours: _hours, windowQuota: _quota, ...others }: Limits): Limits => others;

/**
 * A limit of the user takes precedence over one of the user's plans, and that over the group's limit for all its users. The
 * latter softens and extends no budget of the former.
 */
const ownOr = (own: Limits | undefined, common: Limits | undefined): Limits | undefined => {
  if (!own || !common) return own ?? common;
  const from = own.windowQuota === undefined ? common : withoutWindow(common);
  const merged: Limits = {};
  for (const name of LIMIT_NAMES) merged[name] = own[name] ?? from[name];
  if (budgetsOf(own).length > 0) {
    merged.softBudgets = own.softBudgets;
    merged.extraQuota = own.extraQuota;
  }
  return merged;
};

/**
 * Limits per key, user and group. Minutes and running requests are counted from zero at each start, or by all nodes
 * together; longer periods in memory, starting from the amounts in storage. A request without limits leaves no trace.
 */
export class Limiter implements RequestLimiter {
  readonly budgets: BudgetBook;
  private groups: ReadonlyMap<string, GroupLimits> = new Map();
  /** Lengths of windows that any group names for each of its users. */
  private perUserHours: ReadonlySet<number> = new Set();
  private seesAccount: () => boolean = () => true;

  /**
   * @param now milliseconds since the epoch.
   * @param rates counts minutes and running requests.
   */
  constructor(
    private readonly now: () => number,
    known: KnownAccounts,
    private readonly rates: Rates = new MemoryRates(now),
  ) {
    this.budgets = new BudgetBook(now, known);
  }

  setGroups(groups: ReadonlyMap<string, GroupLimits>): void {
    this.groups = groups;
    const budgets = [...groups.values()].flatMap(({ perUser }) => (perUser ? budgetsOf(perUser) : []));
    this.perUserHours = new Set(
      budgets.flatMap(({ period }) => (typeof period === "number" ? [period] : [])),
    );
  }

  /** @param isShown whether answers to a key show the budgets of its user. */
  showAccount(isShown: () => boolean): void {
    this.seesAccount = isShown;
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
    isReplaced = false,
  ): LimitPass | Refusal | undefined | Promise<LimitPass | Refusal> {
    if (!this.isLimited(key, groups)) return undefined;
    const found = this.subjectsOf(key, groups);
    const subjects = isReplaced ? found.map((subject) => ({ ...subject, isReplaced })) : found;
    if (subjects.length === 0) return undefined;
    this.budgets.meetAll(subjects, this.perUserHours);
    // Other nodes may have spent what no charge here has shown.
    for (const subject of subjects) this.budgets.tellLevels(subject);
    const { promptTokens } = asked;
    const tooSmall = subjects.findIndex(({ limits: { tpm } }) => tpm !== undefined && promptTokens > tpm);
    if (tooSmall !== -1) return this.refuseTooLarge(subjects, tooSmall, promptTokens, limitHeaders);
    const barred = subjects.findIndex((subject) => usedUpBudget(subject) !== undefined);
    const counted = barred === -1 ? subjects.filter(({ limits: { rpd } }) => rpd !== undefined) : [];
    for (const subject of counted) this.budgets.countRequest(subject, 1);
    const { day } = this.budgets.turn();
    const answer = this.rates.enter(subjects, promptTokens, barred);
    const toAnswer = (report: RateAnswer): LimitPass | Refusal => {
      const isTakenBack = !("leave" in report.outcome) && this.budgets.turn().day.startMs === day.startMs;
      if (isTakenBack) for (const subject of counted) this.budgets.countRequest(subject, -1);
      return passOf(report, subjects, this.shown(limitHeaders));
    };
    return "then" in answer ? answer.then(toAnswer) : toAnswer(answer);
  }

  overBudget(key: ApiKey, groups: readonly string[]): OverBudget | undefined {
    return this.isLimited(key, groups) ? overBudgetOf(this.subjectsOf(key, groups)) : undefined;
  }

  private shown(headers: LimitHeaders): ShownLimits {
    return { headers, seesAccount: this.seesAccount() };
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
      const headers = headersOf(subjects, looked, this.shown(limitHeaders), this.now());
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
    const subjects = this.subjectsOf(of, groups);
    const uses = await this.rates.look(subjects);
    return subjects.flatMap((subject, index): LimitStanding[] => {
      const { scope, id, limits } = subject;
      const isOfPlan = scope === "user" ? isOfPlanOf(of.user) : undefined;
      const { requests = 0, tokens = 0, active = 0 } = uses[index] ?? {};
      const rates = { rpm: requests, tpm: tokens, concurrency: active } as const;
      const byRate = (Object.keys(rates) as (keyof typeof rates)[]).flatMap((limit): LimitStanding[] => {
        const max = limits[limit];
        return max === undefined ? [] : [{ scope, id, limit, max, used: rates[limit], ...isOfPlan?.(limit) }];
      });
      const budgets = budgetStandings(subject).map((each) => ({ ...each, ...isOfPlan?.(each.limit) }));
      return [...byRate, ...budgets];
    });
  }

  /**
   * Counts a request's usage. Called for every charge, so it only adds.
   * @param group the group that answered the request.
   */
  charge(key: ApiKey, tokens: number, quota: number, group?: string): void {
    const groups = countedIn(key, group);
    this.spend(key, groups, quota, 1);
    this.rates.add("key", key.id, tokens);
    this.rates.add("user", key.user.id, tokens);
    if (this.groups.size > 0) for (const each of groups) this.rates.add("group", each, tokens);
  }

  refund(key: ApiKey, quota: number, group?: string): void {
    this.spend(key, countedIn(key, group), -quota, 0);
  }

  private spend(key: ApiKey, groups: readonly string[], quota: number, requests: 0 | 1): void {
    const amounts = { quota, requests };
    this.budgets.add({ scope: "key", id: key.id }, amounts);
    this.budgets.add({ scope: "user", id: key.user.id }, amounts);
    for (const group of groups) this.budgets.add({ scope: "group", id: group }, amounts);
    if (!this.isLimited(key, groups)) return;
    const subjects = this.subjectsOf(key, groups);
    this.budgets.meetAll(subjects, this.perUserHours);
    if (quota > 0) for (const subject of subjects) this.budgets.tellLevels(subject);
  }

  private isLimited({ limits, user }: ApiKey, groups: readonly string[]): boolean {
    if (limits || user.limits || user.planLimits) return true;
    return this.groups.size > 0 && groups.some((group) => this.groups.has(group));
  }

  /**
   * A request with several possible groups is limited by each; the limit per user comes from the first group that sets
   * one.
   */
  private subjectsOf({ id: keyId, user, limits }: LimitedRequests, groups: readonly string[]): Subject[] {
    const subjects: Subject[] = [];
    const add = (scope: Scope, id: number | string, limits: Limits | undefined): void => {
      if (!limits) return;
      const budgets = this.budgets.standings({ scope, id }, budgetsOf(limits));
      subjects.push({ scope, id, limits, budgets });
    };
    if (keyId !== undefined) add("key", keyId, limits);
    const perUser = groups.map((group) => this.groups.get(group)?.perUser).find(Boolean);
    add("user", user.id, ownOr(user.limits, ownOr(user.planLimits, perUser)));
    for (const group of groups) add("group", group, this.groups.get(group)?.group);
    return subjects;
  }
}

/** Whether a user's limit is that of the user's plans. */
const isOfPlanOf =
  ({ limits, planLimits }: LimitedRequests["user"]) =>
  (limit: keyof Limits): { isOfPlan?: true } =>
    limits?.[limit] === undefined && planLimits?.[limit] !== undefined ? { isOfPlan: true } : {};

const budgetStandings = ({ scope, id, limits, budgets }: Subject): LimitStanding[] =>
  budgets.map(({ limit, period, max, used, span }) => {
    const extra = extraOf(limit, limits);
    return {
      ...{ scope, id, limit, max, used, endMs: span?.endMs, isSoft: !isHard(limit, limits) },
      ...(extra === undefined ? {} : { extra }),
      ...(typeof period === "number" ? { hours: period } : {}),
    };
  });

/**
 * The groups in which a charge counts: the serving one, and all of the user's, or for a key with its own group that
 * one. Its budget may be the used up one for which another group serves. The automatic groups of a key count as they
 * serve.
 */
const countedIn = ({ group: own, user }: ApiKey, group: string | undefined): readonly string[] => {
  if (group === undefined || group === "") return user.groups;
  if (own === undefined) return withGroup(user.groups, group);
  return own === group || own === AUTO_GROUP ? [group] : [own, group];
};

/** At a used up budget, a request may go by a group of its key's choice. */
const withGroup = (groups: readonly string[], group: string): readonly string[] =>
  groups.includes(group) ? groups : [...groups, group];
