import type { GroupLimits, Limits } from "@tollgate/contract/management/limits";
import type { LimitHeaders, Standing, Standings } from "@tollgate/contract/relay/limits";
import type { ApiKey, LimitPass, Refusal, RequestLimiter } from "../ports";
import { type Calendar, calendarAt } from "./calendar";
import { Meters } from "./meters";
import { MinuteMeter } from "./minute-meter";
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

type Scope = "key" | "user" | "group";

/** One of those whose limits a request meets. */
interface Subject {
  scope: Scope;
  limits: Limits;
  meter: MinuteMeter;
  today: number;
  thisMonth: number;
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
 * Limits per key, user and group, counted in memory: minutes and requests under way from zero at each start, days and
 * months from what storage says was spent. A request that nothing limits passes without a trace.
 */
export class Limiter implements RequestLimiter {
  private groups: ReadonlyMap<string, GroupLimits> = new Map();
  private readonly keyMeters = new Meters<number>();
  private readonly userMeters = new Meters<number>();
  /** As many as groups have limits. */
  private readonly groupMeters = new Map<string, MinuteMeter>();
  private readonly spentByKey: Spending<number>;
  private readonly spentByUser: Spending<number>;
  private readonly spentByGroup = new Spending<string>(() => true);
  private calendar: Calendar;

  /** @param now milliseconds since the epoch. */
  constructor(
    private readonly now: () => number,
    { hasKey, hasUser }: KnownAccounts,
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
  ): LimitPass | Refusal | undefined {
    const isGroupLimited = this.groups.size > 0 && key.user.groups.some((group) => this.groups.has(group));
    if (!key.limits && !key.user.limits && !isGroupLimited) return undefined;
    const nowMs = this.now();
    const subjects = this.subjectsOf(key, nowMs);
    if (subjects.length === 0) return undefined;
    const { promptTokens } = asked;
    for (const subject of subjects) {
      const refusal = this.check(subject, promptTokens, nowMs);
      if (refusal) {
        const headers = limitHeaders(standingsOf(subjects, nowMs), untilNextMinuteMs(nowMs), nowMs);
        return { ...refusal, headers };
      }
    }
    const startMs = subjects.map(({ meter }) => meter.enter(promptTokens, nowMs));
    return {
      headers: limitHeaders(standingsOf(subjects, nowMs), untilNextMinuteMs(nowMs), nowMs),
      leave: () => {
        const endMs = this.now();
        for (const [index, { meter }] of subjects.entries())
          meter.leave(promptTokens, startMs[index] ?? 0, endMs);
      },
    };
  }

  /** Counts what a request used. Called for every charge, so it does no more than to add. */
  charge(key: ApiKey, tokens: number, quota: number): void {
    const nowMs = this.now();
    this.spend(key, quota, nowMs);
    this.keyMeters.get(key.id)?.add(tokens, nowMs);
    this.userMeters.get(key.user.id)?.add(tokens, nowMs);
    if (this.groupMeters.size > 0)
      for (const group of key.user.groups) this.groupMeters.get(group)?.add(tokens, nowMs);
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
  private subjectsOf(key: ApiKey, nowMs: number): Subject[] {
    const calendar = this.turnCalendar(nowMs);
    const { user } = key;
    const subjects: Subject[] = [];
    const add = <Id>(
      scope: Scope,
      id: Id,
      limits: Limits | undefined,
      meterOf: (id: Id) => MinuteMeter,
      spending: Spending<Id>,
    ): void => {
      if (!limits) return;
      const today = spending.today(id, calendar);
      const thisMonth = spending.thisMonth(id, calendar);
      subjects.push({ scope, limits, meter: meterOf(id), today, thisMonth });
    };
    add("key", key.id, key.limits, (id) => this.keyMeters.of(id, nowMs), this.spentByKey);
    const perUser = user.groups.map((group) => this.groups.get(group)?.perUser).find(Boolean);
    add(
      "user",
      user.id,
      ownOr(user.limits, perUser),
      (id) => this.userMeters.of(id, nowMs),
      this.spentByUser,
    );
    for (const group of user.groups)
      add("group", group, this.groups.get(group)?.group, (name) => this.groupMeter(name), this.spentByGroup);
    return subjects;
  }

  private groupMeter(group: string): MinuteMeter {
    let meter = this.groupMeters.get(group);
    if (!meter) {
      meter = new MinuteMeter();
      this.groupMeters.set(group, meter);
    }
    return meter;
  }

  private check(subject: Subject, promptTokens: number, nowMs: number): Refusal | undefined {
    const { scope, limits, meter, today, thisMonth } = subject;
    const { rpm, tpm, concurrency, dailyQuota, monthlyQuota } = limits;
    const refuse = (code: Refusal["code"], limit: number, waitMs: number): Refusal => ({
      code,
      params: { scope, limit: String(limit), seconds: String(waitSeconds(waitMs)) },
      retryAfterSeconds: waitSeconds(waitMs),
    });
    const { dayEndMs, monthEndMs } = this.calendar;
    if (monthlyQuota !== undefined && thisMonth >= monthlyQuota)
      return refuse("monthly-budget-exhausted", monthlyQuota, monthEndMs - nowMs);
    if (dailyQuota !== undefined && today >= dailyQuota)
      return refuse("daily-budget-exhausted", dailyQuota, dayEndMs - nowMs);
    if (rpm !== undefined && meter.requests(nowMs) >= rpm)
      return refuse("requests-limited", rpm, untilNextMinuteMs(nowMs));
    if (tpm !== undefined && meter.tokens(nowMs) + promptTokens > tpm)
      return refuse("tokens-limited", tpm, untilNextMinuteMs(nowMs));
    if (concurrency !== undefined && meter.active >= concurrency)
      return refuse("concurrency-limited", concurrency, 1000);
    return undefined;
  }
}

const tighter = (one: Standing | undefined, other: Standing): Standing =>
  one && one.remaining <= other.remaining ? one : other;

/** Of several limits, the one that is used up first is told. */
const standingsOf = (subjects: readonly Subject[], nowMs: number): Standings => {
  const standings: Standings = { requests: undefined, tokens: undefined };
  for (const { limits, meter } of subjects) {
    const { rpm, tpm } = limits;
    if (rpm !== undefined)
      standings.requests = tighter(standings.requests, {
        limit: rpm,
        remaining: rpm - meter.requests(nowMs),
      });
    if (tpm !== undefined)
      standings.tokens = tighter(standings.tokens, { limit: tpm, remaining: tpm - meter.tokens(nowMs) });
  }
  return standings;
};
