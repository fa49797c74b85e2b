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

/** Answers of the operator to what the source leaves open. */
export interface PlanDecisions {
  subscriptions: SubscriptionDecision;
  /** Quota of a period for plans without a limit, which this gateway does not have; undefined while undecided. */
  unlimitedQuota: number | undefined;
}

export interface MappedPlans {
  plans: Plan[];
  subscriptions: ImportedSubscription[];
  /** Users whom a subscription lifted into another group, with the group to which they return, by id. */
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

type Say = (
  effect: "changed" | "noted",
  code: RemarkCode,
  values?: Readonly<Record<string, string | number>>,
) => void;

/** Plans on sale. One that would be sold on other terms than before is switched off. */
const mapPlan = (row: PlanRow, quota: number, quotaPerUnit: number, say: Say): Plan => {
  const written = (row.title ?? "").replaceAll(/\p{C}/gu, "").trim();
  const title = cutText(written, MAX_PLAN_TITLE).trim() || `plan ${row.id}`;
  const description = cutText(row.subtitle ?? "", MAX_PLAN_TEXT);
  if (title !== row.title || description !== (row.subtitle ?? "")) say("changed", "plan-long");
  let isEnabled = row.enabled !== false;
  const switchOff = (code: RemarkCode, values?: Readonly<Record<string, string | number>>): void => {
    say("changed", code, values);
    isEnabled = false;
  };
  const currency = (row.currency ?? "USD").trim().toUpperCase() || "USD";
  const price = Math.min(MAX_QUOTA, Math.max(0, Math.round((row.price_amount ?? 0) * quotaPerUnit)));
  if (currency !== "USD") switchOff("plan-currency", { currency });
  else if (price === 0) switchOff("plan-free");
  if (row.allow_balance_pay === false) switchOff("plan-balance-pay");
  const { unit, count, seconds } = durationOf(row);
  const durationCount = Math.min(MAX_PLAN_DURATION, count);
  if (seconds !== undefined || durationCount !== count)
    switchOff("plan-duration", { seconds: seconds ?? `${count} ${unit}`, days: durationCount });
  const renewal = renewalOf(quota, row, undefined, (interval, after) =>
    say("changed", "plan-interval", { before: quota, seconds: interval, after }),
  );
  const isTooLong =
    renewal.reset !== "never" && planEnd(0, renewal.reset, 1) > planEnd(0, unit, durationCount);
  if (isTooLong) say("changed", "plan-reset");
  const group = (row.upgrade_group ?? "").trim();
  if (!isGroup(group)) switchOff("plan-group", { group });
  return {
    ...NEW_PLAN,
    id: row.id,
    title,
    description,
    price,
    durationUnit: unit,
    durationCount,
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

/** The period in which a subscription is, and what is left of it. */
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
  const mapped: Omit<MappedPlans, "ownGroups"> = { plans: [], subscriptions: [], undecided: 0 };
  const limitOf = (total: number, id: number, table: TableRemarks): number | undefined => {
    if (total > 0) return Math.min(total, MAX_QUOTA);
    const limit = decisions.unlimitedQuota;
    if (limit === undefined || limit === 0) table.add("left-out", "plan-unlimited", id);
    else table.add("changed", "plan-limited", id, { after: limit });
    return limit === 0 ? undefined : limit;
  };

  for (const row of rows.plans) {
    const quota = limitOf(toNumber(row.total_amount), row.id, remarks.subscription_plans);
    if (quota === undefined) continue;
    mapped.plans.push(
      mapPlan(row, quota, quotaPerUnit, (effect, code, values) =>
        remarks.subscription_plans.add(effect, code, row.id, values),
      ),
    );
  }

  const plans = new Map(rows.plans.map((plan) => [plan.id, plan]));
  const sold = new Map(mapped.plans.map((plan) => [plan.id, plan]));
  const users = new Map(rows.users.map((user) => [user.id, user]));
  // A row that the source has not ended yet has lifted its user all the same.
  const lifting = rows.subscriptions.filter(({ status }) => (status ?? "").trim().toLowerCase() === "active");
  for (const row of rows.subscriptions) {
    const { id } = row;
    const user = toNumber(row.user_id);
    const until = isoTime(toNumber(row.end_time));
    if (!isRunning(row, now)) remarks.user_subscriptions.add("left-out", "subscription-over", id);
    else if (!users.has(user))
      remarks.user_subscriptions.add("left-out", "subscription-of-nobody", id, { user });
    else if (decisions.subscriptions === "drop")
      remarks.user_subscriptions.add("left-out", "subscription-dropped", id, { user, until });
    else {
      const total = toNumber(row.amount_total);
      const limit = limitOf(total, id, remarks.user_subscriptions);
      if (limit === undefined) {
        if (decisions.unlimitedQuota === undefined) mapped.undecided += 1;
        continue;
      }
      const planId = toNumber(row.plan_id);
      const plan = plans.get(planId);
      const next = toNumber(row.next_reset_time);
      const last = readTime(row.last_reset_time) || readTime(row.start_time);
      const renewal = renewalOf(limit, plan, next > 0 ? { last, next } : undefined, (seconds, after) =>
        remarks.user_subscriptions.add("changed", "plan-interval", id, { before: limit, seconds, after }),
      );
      // Use of a subscription without a limit says nothing about the limit that it gets.
      const left = total > 0 ? Math.max(0, limit - Math.max(0, toNumber(row.amount_used))) : limit;
      const { reset, startsAt, endsAt, period } = periodOf(row, renewal, left, now);
      const group = (row.upgrade_group ?? plan?.upgrade_group ?? "").trim();
      if (!isGroup(group)) remarks.user_subscriptions.add("changed", "plan-group", id, { group });
      const known = sold.get(planId);
      const terms: PlanTerms = {
        title: known?.title ?? `plan ${planId}`,
        // Nothing was paid for it here: the ledger of this gateway has no purchase.
        price: 0,
        durationUnit: known?.durationUnit ?? "day",
        durationCount:
          known?.durationCount ??
          Math.min(MAX_PLAN_DURATION, Math.max(1, Math.ceil((endsAt - startsAt) / DAY))),
        quota: renewal.quota,
        reset,
        group: isGroup(group) ? group : "",
        beyond: known?.beyond ?? "balance",
      };
      mapped.subscriptions.push({
        userId: user,
        planId,
        terms,
        startsAt,
        endsAt,
        source: row.source === "order" ? "payment" : "gift",
        reference: `import:${id}`,
        createdTime: readTime(row.start_time),
        period,
      });
      remarks.user_subscriptions.add("changed", "subscription-plan", id, {
        user,
        until,
        left: period.quota,
        next: isoTime(period.endsAt),
        quota: renewal.quota,
      });
    }
  }
  const ownGroups = mapOwnGroups(lifting, users);
  for (const [id, after] of ownGroups)
    remarks.users.add("changed", "group-of-subscription", id, { before: users.get(id)?.group ?? "", after });
  return { ...mapped, ownGroups };
};
