import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

interface ShownPlan {
  id: number;
  title: string;
}

interface ShownSubscription {
  id: number;
  user_id: number;
  state: string;
  source: string;
  granted: number;
  left: number;
  starts_at: number;
  ends_at: number;
  period_ends_at: number;
  renews: boolean;
  title: string;
  price: number;
}

let world: ManagementWorld;

const PLAN = {
  title: "Basic",
  description: "For one person",
  price: 300,
  duration_unit: "month",
  duration_count: 1,
  quota: 500,
  reset: "day",
  group: "vip",
  beyond: "balance",
  max_per_user: 2,
};

const makePlan = (more: Record<string, unknown> = {}): Promise<ShownPlan> =>
  succeed<ShownPlan>(world.admin.api("POST", "/api/plan/", { ...PLAN, ...more }));

const offer = (isOn: boolean): Promise<unknown> =>
  succeed(world.root.api("PUT", "/api/option/", { key: "PlansEnabled", value: String(isOn) }));

const balanceOf = async (person: Person): Promise<number> =>
  (await succeed<{ quota: number }>(person.api("GET", "/api/user/self"))).quota;

const ofSelf = (person: Person): Promise<ShownSubscription[]> =>
  succeed<ShownSubscription[]>(person.api("GET", "/api/subscription/self"));

const buy = (person: Person, plan: ShownPlan, more: Record<string, unknown> = {}) =>
  person.api("POST", "/api/subscription/", { plan_id: plan.id, ...more });

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

const refused = (change: Record<string, unknown>, says: string): Row => ({
  who: "admin",
  method: "POST",
  path: "/api/plan",
  body: { ...PLAN, ...change },
  success: false,
  says,
});

describeRows("making a plan is refused", () => world, [
  ...["", " ", "x".repeat(61), "a\u202eb"].map((title) => refused({ title }, "套餐名称长度")),
  refused({ title: "a\u0000" }, "无效的参数"),
  refused({ description: "x".repeat(501) }, "套餐说明"),
  ...[0, -1, 1001].map((duration_count) => refused({ duration_count }, "套餐时长")),
  refused({ duration_unit: "day", duration_count: 6, reset: "week" }, "重置周期"),
  ...["a,b", "x".repeat(33)].map((group) => refused({ group }, "分组")),
  ...[-1, 1.5, "5", 9_007_199_254_740_992].flatMap((quota) => [
    refused({ quota }, "无效的参数"),
    refused({ price: quota }, "无效的参数"),
  ]),
  refused({ reset: "hour" }, "无效的参数"),
  refused({ duration_unit: "__proto__" }, "无效的参数"),
  refused({ beyond: "debt" }, "无效的参数"),
  refused({ rpd: -1 }, "无效的参数"),
  refused({ window_hours: 721, window_quota: 5 }, "无效的参数"),
  refused({ window_hours: 5 }, "预算"),
  refused({ window_quota: 5 }, "小时数"),
]);

describe("plans", () => {
  it("are offered where the site wants it, those that are enabled, in their order", async () => {
    const [second, first, hidden] = [
      await makePlan({ title: "Second", sort_order: 2 }),
      await makePlan({ title: "First", sort_order: 1 }),
      await makePlan({ title: "Hidden", is_enabled: false }),
    ];
    const person = await world.newUser({ quota: 10_000 });
    expect(await succeed(person.api("GET", "/api/plan/offered"))).toEqual([]);
    expect((await buy(person, first)).body.success).toBe(false);
    expect((await world.root.api("GET", "/api/status")).body.data).not.toHaveProperty("plans");
    await offer(true);
    expect((await world.root.api("GET", "/api/status")).body.data).toMatchObject({ plans: true });
    const offered = await succeed<ShownPlan[]>(person.api("GET", "/api/plan/offered"));
    expect(offered.map(({ title }) => title)).toEqual(["First", "Second"]);
    expect((await buy(person, hidden)).body.message).toBe("该套餐未开放购买");
    for (const { id } of [second, first, hidden]) await succeed(world.admin.api("DELETE", `/api/plan/${id}`));
  });

  it("are bought from the balance, give their quota and their group, and are renewed and ended", async () => {
    const plan = await makePlan();
    const person = await world.newUser({ quota: 1000, group: "team" });
    const bought = await succeed<ShownSubscription>(buy(person, plan));
    expect(bought).toMatchObject({ state: "active", source: "balance", granted: 500, left: 500, price: 300 });
    expect(bought.period_ends_at - bought.starts_at).toBeGreaterThan(22 * 3600);
    expect(await balanceOf(person)).toBe(1200);
    // Who changes the plan changes nothing of what was bought.
    await succeed(world.admin.api("PUT", `/api/plan/${plan.id}`, { title: "Other", price: 1, quota: 2 }));
    expect(await ofSelf(person)).toMatchObject([{ title: "Basic", price: 300, left: 500 }]);
    await succeed(person.api("PUT", `/api/subscription/${bought.id}/renews`, { renews: true }));
    const [renewing] = await ofSelf(person);
    expect(renewing?.renews).toBe(true);
    const next = await succeed<ShownSubscription>(buy(person, plan, { follows: bought.id }));
    expect(next).toMatchObject({ state: "waiting", starts_at: bought.ends_at, left: 0 });
    expect((await buy(person, plan, { follows: bought.id })).body.message).toBe("该套餐已经续订");
    expect((await buy(person, plan)).body.message).toContain("次数已达上限");
    expect(await balanceOf(person)).toBe(1199);
    await succeed(world.admin.api("POST", `/api/subscription/${bought.id}/end`));
    expect(await balanceOf(person)).toBe(699);
    expect((await world.admin.api("POST", `/api/subscription/${bought.id}/end`)).body.message).toBe(
      "该套餐已结束",
    );
    const entries = await succeed<{ cause: string; amount: number }[]>(person.api("GET", "/api/ledger/self"));
    expect(entries.map(({ cause, amount }) => [cause, amount]).slice(0, 4)).toEqual([
      ["plan-expiry", -500],
      ["plan-purchase", -1],
      ["plan-grant", 500],
      ["plan-purchase", -300],
    ]);
    const users = await succeed<{ id: number; group: string }[]>(
      world.admin.api("GET", `/api/user/search?keyword=${person.username}`),
    );
    expect(users).toMatchObject([{ group: "team" }]);
  });

  it("limit their user while they last, on the terms of the purchase", async () => {
    interface Use {
      scope: string;
      limit: string;
      max: number;
      of_plan?: boolean;
    }
    const limits = { rpd: 40, five_hour_quota: 300, window_quota: 900, window_hours: 24, soft_budgets: 1 };
    const plan = await makePlan({ ...limits, max_per_user: 0 });
    expect(plan).toMatchObject(limits);
    const person = await world.newUser({ quota: 1000 });
    const usesOf = async () =>
      (await succeed<Use[]>(person.api("GET", "/api/user/self/limits"))).filter(
        ({ scope }) => scope === "user",
      );
    expect(await usesOf()).toEqual([]);
    const bought = await succeed<ShownSubscription>(buy(person, plan));
    expect(bought).toMatchObject(limits);
    // A limit that is left out stays, 0 takes it away; what was bought stays as it was.
    const changed = await succeed(
      world.admin.api("PUT", `/api/plan/${plan.id}`, { rpd: 0, five_hour_quota: 1, title: "Other" }),
    );
    expect(changed).toMatchObject({ five_hour_quota: 1, window_quota: 900, title: "Other" });
    expect(changed).not.toHaveProperty("rpd");
    const missing = await world.admin.api("PUT", `/api/plan/${plan.id}`, { window_hours: 0 });
    expect(missing.body.success).toBe(false);
    const uses = await usesOf();
    expect(uses.map(({ limit, max, of_plan }) => [limit, max, of_plan]).toSorted()).toEqual([
      ["five_hour_quota", 300, true],
      ["rpd", 40, true],
      ["window_quota", 900, true],
    ]);
    // The user's own limit takes precedence.
    await succeed(world.admin.api("PUT", "/api/user/", { id: person.id, rpd: 7 }));
    const rpd = (await usesOf()).find(({ limit }) => limit === "rpd");
    expect(rpd).toMatchObject({ max: 7 });
    expect(rpd).not.toHaveProperty("of_plan");
    await succeed(world.admin.api("POST", `/api/subscription/${bought.id}/end`));
    expect((await usesOf()).map(({ limit }) => limit)).toEqual(["rpd"]);
  });

  it("are bought once by ten calls at once with money for one", async () => {
    const plan = await makePlan({ price: 700, quota: 10_000, max_per_user: 0 });
    const person = await world.newUser({ quota: 1000 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(person, plan)));
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await balanceOf(person)).toBe(10_300);
    expect((await buy(person, plan)).body.message).toContain("你自己的余额不足");
  });

  it("are given by administrators, only to users of a lower rank, and belong to the receiver", async () => {
    const plan = await makePlan({ max_per_user: 0, beyond: "stop" });
    const person = await world.newUser({ quota: 70 });
    const given = await succeed<ShownSubscription>(
      world.admin.api("POST", "/api/subscription/given", { plan_id: plan.id, user_id: person.id }),
    );
    expect(given).toMatchObject({ source: "gift", state: "active", user_id: person.id, parked: 70 });
    expect(await balanceOf(person)).toBe(500);
    const self = { plan_id: plan.id, user_id: world.admin.id };
    expect((await world.admin.api("POST", "/api/subscription/given", self)).body.success).toBe(false);
    const foreign = await world.other.api("PUT", `/api/subscription/${given.id}/renews`, { renews: true });
    expect(foreign.body.message).toBe("记录不存在");
    // A renewal would be paid from the receiver's balance.
    const paidByOther = await world.admin.api("PUT", `/api/subscription/${given.id}/renews`, {
      renews: true,
    });
    expect(paidByOther.body.message).toBe("记录不存在");
    expect((await buy(world.other, plan, { follows: given.id })).body.message).toBe("记录不存在");
    const listed = await succeed<ShownSubscription[]>(
      world.admin.api("GET", `/api/subscription/?p=0&user_id=${person.id}&plan_id=${plan.id}`),
    );
    expect(listed.map(({ id }) => id)).toEqual([given.id]);
    await succeed(world.admin.api("POST", `/api/subscription/${given.id}/end`));
    expect(await balanceOf(person)).toBe(70);
  });
});
