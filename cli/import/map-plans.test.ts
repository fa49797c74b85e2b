import { describe, expect, it } from "vitest";
import { mapPlans, type PlanDecisions } from "./map-plans";
import type { PlanRow, SubscriptionRow, UserRow } from "./source-rows";
import { TableRemarks } from "./table-remarks";

const NOW = 1_790_000_000;
const DAY = 86_400;

const PLAN: PlanRow = {
  id: 1,
  title: "Daily",
  price_amount: 10,
  currency: "USD",
  duration_unit: "month",
  duration_value: 1,
  total_amount: 500,
  quota_reset_period: "daily",
};
const SUBSCRIPTION: SubscriptionRow = {
  id: 7,
  user_id: 21,
  plan_id: 1,
  amount_total: 500,
  amount_used: 500,
  start_time: NOW - DAY,
  end_time: NOW + 29 * DAY,
  status: "active",
  next_reset_time: NOW + 3600,
};
const USER: UserRow = { id: 21, group: "default" };

const moved = (
  subscription: Partial<SubscriptionRow> = {},
  {
    plan = {},
    user = {},
    decisions = {},
  }: { plan?: Partial<PlanRow>; user?: Partial<UserRow>; decisions?: Partial<PlanDecisions> } = {},
) => {
  const remarks = {
    subscription_plans: new TableRemarks("subscription_plans"),
    user_subscriptions: new TableRemarks("user_subscriptions"),
    users: new TableRemarks("users"),
  };
  const { plans, subscriptions, ownGroups, undecided } = mapPlans(
    {
      plans: [{ ...PLAN, ...plan }],
      subscriptions: [{ ...SUBSCRIPTION, ...subscription }],
      users: [{ ...USER, ...user }],
    },
    { subscriptions: "plans", unlimitedQuota: undefined, ...decisions },
    { now: NOW, quotaPerUnit: 500_000 },
    remarks,
  );
  const codes = Object.values(remarks).flatMap((table) => table.all().map(({ code }) => code));
  return { plan: plans[0], subscription: subscriptions[0], ownGroups, undecided, codes };
};

describe("subscriptions of new-api", () => {
  it("keep the quota of all their periods when the present one is used up", () => {
    const { subscription } = moved();
    expect(subscription).toMatchObject({
      userId: 21,
      endsAt: NOW + 29 * DAY,
      terms: { quota: 500, reset: "day" },
      period: { quota: 0, endsAt: NOW + 3600 },
    });
  });

  it("begin a full period when their last one ended while new-api was stopped", () => {
    const { subscription } = moved({ next_reset_time: NOW - 2 * DAY - 60 });
    expect(subscription?.period).toMatchObject({ number: 3, quota: 500 });
    expect(subscription?.period.endsAt).toBeGreaterThan(NOW);
  });

  it("take over the remaining quota when it is never renewed", () => {
    const { subscription } = moved(
      { amount_used: 200, next_reset_time: 0 },
      { plan: { quota_reset_period: "never" } },
    );
    expect(subscription).toMatchObject({
      terms: { reset: "never" },
      period: { number: 1, quota: 300, endsAt: NOW + 29 * DAY },
    });
  });

  it("wait for a decision when they have no limit, and are never called over", () => {
    const unlimited = { amount_total: 0, amount_used: 123 };
    expect(moved(unlimited)).toMatchObject({ undecided: 1, subscription: undefined });
    expect(moved(unlimited).codes).not.toContain("subscription-over");
    expect(moved(unlimited, { decisions: { unlimitedQuota: 9000 } })).toMatchObject({
      undecided: 0,
      subscription: { terms: { quota: 9000 }, period: { quota: 9000 } },
    });
    expect(moved(unlimited, { decisions: { unlimitedQuota: 0 } })).toMatchObject({
      undecided: 0,
      subscription: undefined,
    });
  });

  it("carry the group into which they lifted their user, who returns to the group of before", () => {
    const lifted = { upgrade_group: "vip", prev_user_group: "default" };
    const { subscription, ownGroups } = moved(lifted, { user: { group: "vip" } });
    expect(subscription?.terms.group).toBe("vip");
    expect(ownGroups.get(21)).toBe("default");
    expect(moved({ ...lifted, downgrade_group: "basic" }, { user: { group: "vip" } }).ownGroups.get(21)).toBe(
      "basic",
    );
    // An administrator moved the user since then.
    expect(moved(lifted, { user: { group: "svip" } }).ownGroups.size).toBe(0);
  });

  it("give the group back when they are left out, or ended before new-api noticed", () => {
    const lifted = { upgrade_group: "vip", prev_user_group: "default" };
    const user = { group: "vip" };
    expect(moved(lifted, { user, decisions: { subscriptions: "drop" } }).ownGroups.get(21)).toBe("default");
    expect(moved({ ...lifted, end_time: NOW - 5 }, { user }).ownGroups.get(21)).toBe("default");
  });

  it("tell their interval by their times when the plan is gone", () => {
    const gone = { plan_id: 99, last_reset_time: NOW - 6 * DAY, next_reset_time: NOW + DAY };
    expect(moved(gone).subscription?.terms.reset).toBe("week");
  });
});

describe("plans of new-api", () => {
  it("keep price, duration, quota and reset", () => {
    expect(moved().plan).toMatchObject({
      title: "Daily",
      price: 5_000_000,
      durationUnit: "month",
      durationCount: 1,
      quota: 500,
      reset: "day",
      isEnabled: true,
    });
  });

  it.each([
    ["another currency", { currency: "CNY" }, "plan-currency"],
    ["no price", { price_amount: 0 }, "plan-free"],
    ["a price that the balance does not pay", { allow_balance_pay: false }, "plan-balance-pay"],
    ["a duration of hours", { duration_unit: "hour", duration_value: 5 }, "plan-duration"],
  ] as const)("are not on sale with %s", (_, plan, code) => {
    const found = moved({}, { plan });
    expect(found.plan?.isEnabled).toBe(false);
    expect(found.codes).toContain(code);
  });

  it("keep the rate of an interval of their own", () => {
    const { plan } = moved(
      {},
      { plan: { quota_reset_period: "custom", quota_reset_custom_seconds: 3 * DAY, total_amount: 300 } },
    );
    expect(plan).toMatchObject({ reset: "day", quota: 100 });
  });
});
