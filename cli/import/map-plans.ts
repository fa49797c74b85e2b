import {
  MAX_PLAN_DURATION,
  MAX_PLAN_TEXT,
  MAX_PLAN_TITLE,
  type Plan,
  type PlanReset,
  type PlanTerms,
  type PlanTime,
} from "@tollgate/contract/api/plans";
import type { ImportedSubscription } from "@tollgate/contract/records/imported-records";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { planEnd, planPeriodAt } from "@tollgate/metering/plan-periods";
import { Failure } from "@tollgate/server/management-api/failure";
import { NEW_PLAN } from "@tollgate/server/management-api/money/plan-rules";
import { checkGroups } from "@tollgate/server/management-api/sign-in/account-rules";
import { cutText, readTime, toNumber } from "./amounts";
import type { RemarkCode } from "./remarks";
import type { PlanRow, SubscriptionRow, UserRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Running subscriptions become plans, or are left out on request. */
export type SubscriptionDecision = "plans" | "drop";

/** The operator's answers to questions that the source leaves open. */
export interface PlanDecisions {
  subscriptions: SubscriptionDecision;
  /** Quota of a period for plans without a limit, which this gateway does not have; undefined while undecided. */
  unlimitedQuota: number | undefined;
}

export interface MappedPlans {
  plans: Plan[];
  subscriptions: ImportedSubscription[];
  /** Users moved by a subscription into another group, with the group to which they return, by id. */
  ownGroups: ReadonlyMap<number, string>;
  /** Running subscriptions without a limit that no decision covers. */
  undecided: number;
}

const DAY = 86_400;
const HOUR = 3600;

/** Quota that comes again, and the interval as this gateway counts it. */
interface Renewal {
  reset: PlanReset;
  quota: number;
}

/** Intervals with the same meaning here, in seconds; the calendar decides about the longest of them. */
const INTERVALS: readonly [longest: number, reset: PlanReset][] = [
  [25 * HOUR, "day"],
  [8 * DAY, "week"],
  [32 * DAY, "month"],
];

const EXACT: Readonly<Record<string, PlanReset>> = { daily: "day", weekly: "week", monthly: "month" };

const isGroup = (group: string): boolean => {
  try {
    checkGroups(group);
    return !group.includes(",");
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
};

const isRunning = ({ status, end_time: end }: SubscriptionRow, now: number): boolean =>
  (status ?? "").trim().toLowerCase() === "active" && toNumber(end) > now;

const isoTime = (seconds: number): string => new Date(Math.min(seconds, 8.64e12) * 1000).toISOString();

/** @returns the interval in seconds of a plan with one of its own, 0 for all others. */
const ownInterval = ({ quota_reset_period: period, quota_reset_custom_seconds: seconds }: PlanRow): number =>
  (period ?? "").trim() === "custom" ? Math.max(0, toNumber(seconds)) : 0;

/** Keeps the rate: quota that comes every so many seconds as quota of a day. */
const perDay = (quota: number, seconds: number): number =>
  Math.max(1, Number((BigInt(quota) * BigInt(DAY)) / BigInt(seconds)));

/**
 * @param plan undefined for a plan that was deleted: the times of the subscription tell its interval then.
 */
const renewalOf = (
  quota: number,
  plan: PlanRow | undefined,
  resets: { last: number; next: number } | undefined,
  onInterval: (seconds: number, after: number) => void,
): Renewal => {
  const named = EXACT[(plan?.quota_reset_period ?? "").trim()];
  if (named) return { reset: named, quota };
  if (plan) {
    const seconds = ownInterval(plan);
    if (seconds === 0) return { reset: "never", quota };
    if (seconds === DAY) return { reset: "day", quota };
    if (seconds === 7 * DAY) return { reset: "week", quota };
    const after = Math.min(MAX_QUOTA, perDay(quota, seconds));
    onInterval(seconds, after);
    return { reset: "day", quota: after };
  }
  if (!resets) return { reset: "never", quota };
  const length = resets.next - resets.last;
  return { reset: INTERVALS.find(([longest]) => length <= longest)?.[1] ?? "month", quota };
};

const durationOf = (row: PlanRow): { unit: PlanTime; count: number; seconds?: number } => {
  const value = Math.max(1, toNumber(row.duration_value, 1));
  const unit = (row.duration_unit ?? "month").trim();
  if (unit === "day" || unit === "month" || unit === "year") return { unit, count: value };
  const seconds = unit === "hour" ? value * HOUR : Math.max(1, toNumber(row.custom_seconds));
  const count = Math.ceil(seconds / DAY);
  return seconds % DAY === 0 ? { unit: "day", count } : { unit: "day", count, seconds };
};

type AddRemark = (effect: "changed" | "noted", ...what: Parameters<SwitchOff>) => void;

type SwitchOff = (code: RemarkCode, values?: Readonly<Record<string, string | number>>) => void;

const textsOf = (
  { id, title, subtitle = "" }: PlanRow,
  addRemark: AddRemark,
): Pick<Plan, "title" | "description"> => {
  const written = (title ?? "").replaceAll(/\p{C}/gu, "").trim();
  const texts = {
    title: cutText(written, MAX_PLAN_TITLE).trim() || `plan ${id}`,
    description: cutText(subtitle, MAX_PLAN_TEXT),
  };
  if (texts.title !== title || texts.description !== subtitle) addRemark("changed", "plan-long");
  return texts;
};

const priceOf = (row: PlanRow, quotaPerUnit: number, switchOff: SwitchOff): number => {
  const currency = (row.currency ?? "USD").trim().toUpperCase() || "USD";
  const price = Math.min(MAX_QUOTA, Math.max(0, Math.round((row.price_amount ?? 0) * quotaPerUnit)));
  if (currency !== "USD") switchOff("plan-currency", { currency });
  else if (price === 0) switchOff("plan-free");
  if (row.allow_balance_pay === false) switchOff("plan-balance-pay");
  return price;
};

const termOf = (row: PlanRow, switchOff: SwitchOff): Pick<Plan, "durationUnit" | "durationCount"> => {
  const { unit, count, seconds } = durationOf(row);
  const durationCount = Math.min(MAX_PLAN_DURATION, count);
  if (seconds !== undefined || durationCount !== count)
    switchOff("plan-duration", { seconds: seconds ?? `${count} ${unit}`, days: durationCount });
  return { durationUnit: unit, durationCount };
};

/** Plans on sale. One that would be sold on other terms than before is switched off. */
const mapPlan = (row: PlanRow, quota: number, quotaPerUnit: number, addRemark: AddRemark): Plan => {
  let isEnabled = row.enabled !== false;
  const switchOff: SwitchOff = (code, values) => {
    addRemark("changed", code, values);
    isEnabled = false;
  };
  const texts = textsOf(row, addRemark);
  const price = priceOf(row, quotaPerUnit, switchOff);
  const duration = termOf(row, switchOff);
  const renewal = renewalOf(quota, row, undefined, (interval, after) =>
    addRemark("changed", "plan-interval", { before: quota, seconds: interval, after }),
  );
  const isTooLong =
    renewal.reset !== "never" &&
    planEnd(0, renewal.reset, 1) > planEnd(0, duration.durationUnit, duration.durationCount);
  if (isTooLong) addRemark("changed", "plan-reset");
  const group = (row.upgrade_group ?? "").trim();
  if (!isGroup(group)) switchOff("plan-group", { group });
  return {
    ...NEW_PLAN,
    id: row.id,
    ...texts,
    price,
    ...duration,
    quota: renewal.quota,
    reset: isTooLong ? "never" : renewal.reset,
    group: isGroup(group) ? group : "",
    beyond: row.allow_wallet_overflow === false ? "stop" : "balance",
    maxPerUser: Math.min(MAX_QUOTA, Math.max(0, toNumber(row.max_purchase_per_user))),
    isEnabled,
    // The source lists the highest number first.
    sortOrder: 0 - toNumber(row.sort_order),
    createdTime: readTime(row.created_at),
  };
};

/** Returns the current period of a subscription, and the rest of it. */
const periodOf = (
  row: SubscriptionRow,
  { reset, quota }: Renewal,
  left: number,
  now: number,
): Pick<ImportedSubscription, "startsAt" | "endsAt" | "period"> & { reset: PlanReset } => {
  const endsAt = toNumber(row.end_time);
  const next = toNumber(row.next_reset_time);
  const begin = Math.min(now, readTime(row.start_time));
  // The source names no next time once the last period runs.
  const isLast = reset === "never" || next <= 0 || next >= endsAt;
  if (isLast)
    return {
      reset: "never",
      startsAt: begin,
      endsAt,
      period: { number: 1, startsAt: begin, endsAt, quota: left },
    };
  if (next > now) {
    const startsAt = Math.min(now, planEnd(next, reset, -1));
    return { reset, startsAt, endsAt, period: { number: 1, startsAt, endsAt: next, quota: left } };
  }
  // The period ended while the source was stopped: its quota has come again.
  const period = planPeriodAt({ startsAt: next, endsAt, reset }, now);
  if (!period) throw new Error("a subscription that runs is in no period");
  return { reset, startsAt: next, endsAt, period: { ...period, quota } };
};

/** The groups of users after their subscriptions end, as the source would set them then. */
const mapOwnGroups = (
  rows: readonly SubscriptionRow[],
  users: ReadonlyMap<number, UserRow>,
): ReadonlyMap<number, string> => {
  const groups = new Map<number, string>();
  const byUser = new Map<number, SubscriptionRow[]>();
  for (const row of rows) {
    const id = toNumber(row.user_id);
    const known = byUser.get(id);
    if (known) known.push(row);
    else byUser.set(id, [row]);
  }
  for (const [id, own] of byUser) {
    const user = users.get(id);
    if (!user) continue;
    const before = (user.group ?? "").trim();
    let group = before;
    // One subscription may have lifted the user out of the group of another one.
    const lifting = own.toReversed();
    for (;;) {
      const index = lifting.findIndex(
        ({ upgrade_group: lifted }) => group !== "" && (lifted ?? "").trim() === group,
      );
      const [found] = index < 0 ? [] : lifting.splice(index, 1);
      const back = (found?.downgrade_group ?? "").trim() || (found?.prev_user_group ?? "").trim();
      if (!found || back === "") break;
      group = back;
    }
    if (group !== before) groups.set(id, group);
  }
  return groups;
};

interface PlanContext {
  decisions: PlanDecisions;
  /** Unix seconds. */
  now: number;
  /** All plans of the source. */
  plans: ReadonlyMap<number, PlanRow>;
  /** Those that are taken over. */
  sold: ReadonlyMap<number, Plan>;
  users: ReadonlyMap<number, UserRow>;
  remarks: TableRemarks;
}

/** The quota of a period; undefined for one without a limit that the operator drops, or has not decided about. */
const limitOf = (
  total: number,
  id: number,
  limit: PlanDecisions["unlimitedQuota"],
  table: TableRemarks,
): number | undefined => {
  if (total > 0) return Math.min(total, MAX_QUOTA);
  if (limit === undefined || limit === 0) table.add("left-out", "plan-unlimited", id);
  else table.add("changed", "plan-limited", id, { after: limit });
  return limit === 0 ? undefined : limit;
};

/** Tells why a subscription is left out, if it is. */
const isLeftOut = (row: SubscriptionRow, { decisions, now, users, remarks }: PlanContext): boolean => {
  const user = toNumber(row.user_id);
  const until = isoTime(toNumber(row.end_time));
  if (!isRunning(row, now)) remarks.add("left-out", "subscription-over", row.id);
  else if (!users.has(user)) remarks.add("left-out", "subscription-of-nobody", row.id, { user });
  else if (decisions.subscriptions === "drop")
    remarks.add("left-out", "subscription-dropped", row.id, { user, until });
  else return false;
  return true;
};

/** Returns the interval of a subscription's quota: its plan's, or the one that follows from its own times. */
const renewalOfSubscription = (
  row: SubscriptionRow,
  limit: number,
  plan: PlanRow | undefined,
  remarks: TableRemarks,
): Renewal => {
  const next = toNumber(row.next_reset_time);
  const last = readTime(row.last_reset_time) || readTime(row.start_time);
  return renewalOf(limit, plan, next > 0 ? { last, next } : undefined, (seconds, after) =>
    remarks.add("changed", "plan-interval", row.id, { before: limit, seconds, after }),
  );
};

/** Returns the terms of a subscription without its quota: those of the imported plan, or those known without it. */
const termsOf = (planId: number, known: Plan | undefined, seconds: number) => ({
  title: known?.title ?? `plan ${planId}`,
  // Nothing was paid for it here: the ledger of this gateway has no purchase.
  price: 0,
  durationUnit: known?.durationUnit ?? ("day" as const),
  durationCount: known?.durationCount ?? Math.min(MAX_PLAN_DURATION, Math.max(1, Math.ceil(seconds / DAY))),
  beyond: known?.beyond ?? ("balance" as const),
});

/** A running subscription whose quota is known. */
const mapSubscription = (
  row: SubscriptionRow,
  limit: number,
  { now, plans, sold, remarks }: PlanContext,
): ImportedSubscription => {
  const { id } = row;
  const planId = toNumber(row.plan_id);
  const plan = plans.get(planId);
  const renewal = renewalOfSubscription(row, limit, plan, remarks);
  // Use of a subscription without a limit says nothing about the limit that it gets.
  const isLimited = toNumber(row.amount_total) > 0;
  const left = isLimited ? Math.max(0, limit - Math.max(0, toNumber(row.amount_used))) : limit;
  const { reset, ...times } = periodOf(row, renewal, left, now);
  const group = (row.upgrade_group ?? plan?.upgrade_group ?? "").trim();
  const isKnown = isGroup(group);
  if (!isKnown) remarks.add("changed", "plan-group", id, { group });
  const terms: PlanTerms = {
    ...termsOf(planId, sold.get(planId), times.endsAt - times.startsAt),
    quota: renewal.quota,
    reset,
    group: isKnown ? group : "",
  };
  return {
    userId: toNumber(row.user_id),
    planId,
    terms,
    ...times,
    source: row.source === "order" ? "payment" : "gift",
    reference: `import:${id}`,
    createdTime: readTime(row.start_time),
  };
};

/**
 * Takes subscriptions of new-api over as plans: a period that is used up comes again, and the group goes with the subscription.
 * @param now unix seconds.
 * @param quotaPerUnit quota of a US dollar in the source.
 */
export const mapPlans = (
  rows: { plans: readonly PlanRow[]; subscriptions: readonly SubscriptionRow[]; users: readonly UserRow[] },
  decisions: PlanDecisions,
  { now, quotaPerUnit }: { now: number; quotaPerUnit: number },
  remarks: Readonly<Record<"subscription_plans" | "user_subscriptions" | "users", TableRemarks>>,
): MappedPlans => {
  const plans: Plan[] = [];
  for (const row of rows.plans) {
    const table = remarks.subscription_plans;
    const quota = limitOf(toNumber(row.total_amount), row.id, decisions.unlimitedQuota, table);
    if (quota === undefined) continue;
    plans.push(
      mapPlan(row, quota, quotaPerUnit, (effect, code, values) => table.add(effect, code, row.id, values)),
    );
  }

  const table = remarks.user_subscriptions;
  const context: PlanContext = {
    decisions,
    now,
    plans: new Map(rows.plans.map((plan) => [plan.id, plan])),
    sold: new Map(plans.map((plan) => [plan.id, plan])),
    users: new Map(rows.users.map((user) => [user.id, user])),
    remarks: table,
  };
  const subscriptions: ImportedSubscription[] = [];
  let undecided = 0;
  for (const row of rows.subscriptions) {
    if (isLeftOut(row, context)) continue;
    const limit = limitOf(toNumber(row.amount_total), row.id, decisions.unlimitedQuota, table);
    if (limit === undefined) {
      if (decisions.unlimitedQuota === undefined) undecided += 1;
      continue;
    }
    const subscription = mapSubscription(row, limit, context);
    const { userId: user, terms, period } = subscription;
    const until = isoTime(toNumber(row.end_time));
    const next = isoTime(period.endsAt);
    const told = { user, until, left: period.quota, next, quota: terms.quota };
    table.add("changed", "subscription-plan", row.id, told);
    subscriptions.push(subscription);
  }
  // A row that the source has not ended yet has lifted its user as well.
  const lifting = rows.subscriptions.filter(({ status }) => (status ?? "").trim().toLowerCase() === "active");
  const ownGroups = mapOwnGroups(lifting, context.users);
  for (const [id, after] of ownGroups)
    remarks.users.add("changed", "group-of-subscription", id, {
      before: context.users.get(id)?.group ?? "",
      after,
    });
  return { plans, subscriptions, undecided, ownGroups };
};
