// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const PLAN = {
  id: 3,
  title: "Basic",
  description: "For one",
  price: 300,
  duration_unit: "month",
  duration_count: 1,
  quota: 500,
  reset: "day",
  group: "vip",
  beyond: "balance",
  max_per_user: 2,
  is_enabled: true,
  sort_order: 1,
  created_time: 1,
};

const SUBSCRIPTION = {
  ...PLAN,
  id: 7,
  user_id: 5,
  username: "alice",
  plan_id: 3,
  starts_at: 1000,
  ends_at: 9000,
  state: "active",
  source: "balance",
  end_reason: "",
  renews: false,
  created_time: 1000,
  period: 2,
  period_starts_at: 2000,
  period_ends_at: 3000,
  granted: 500,
  left: 125,
  spent: 375,
  parked: 0,
};

const status = { plans: true };

describe("the plans of a user", () => {
  it("shows the offered plans, and buys one after confirmation", async () => {
    const stage = await openConsole("/plan", {
      "GET /api/status": status,
      "GET /api/plan/offered": [PLAN],
      "POST /api/subscription/": SUBSCRIPTION,
    });
    const card = within(await screen.findByRole("article", { name: "Basic" }));
    for (const text of [
      "300",
      "/ 月",
      "每天 500",
      "有效期间使用分组 vip",
      "用完后继续使用余额",
      "每人限购 2 次",
    ])
      expect(card.getByText(text)).toBeTruthy();
    await stage.person.click(card.getByRole("button", { name: "用余额购买" }));
    const question = within(await screen.findByRole("alertdialog"));
    await stage.person.click(question.getByRole("button", { name: "支付 300" }));
    await waitFor(() => expect(stage.bodyOf("POST /api/subscription/")).toEqual({ plan_id: 3 }));
    await waitFor(() => expect(stage.notices.map(({ text }) => text)).toContain("购买成功！"));
  });

  it("shows the limits of a plan, amounts as amounts, and those that refuse nothing", async () => {
    const hard = { five_hour_quota: 200, window_quota: 900, window_hours: 24, rpd: 12_345, rpm: 6 };
    const soft = { id: 4, title: "Soft", weekly_quota: 800, soft_budgets: 1, rpm: 9 };
    await openConsole("/plan", {
      "GET /api/status": status,
      "GET /api/plan/offered": [
        { ...PLAN, ...hard },
        { ...PLAN, ...soft },
      ],
    });
    const card = within(await screen.findByRole("article", { name: "Basic" }));
    for (const text of ["每 5 小时预算：200", "每 24 小时预算：900", "每日请求数：12,345", "每分钟请求数：6"])
      expect(card.getByText(text)).toBeTruthy();
    const other = within(screen.getByRole("article", { name: "Soft" }));
    expect(other.getByText("每周预算：800（仅提醒）")).toBeTruthy();
    expect(other.getByText("每分钟请求数：9")).toBeTruthy();
  });

  it("leads to paying for one where the site takes payments", async () => {
    const offered = { "GET /api/plan/offered": [PLAN, { ...PLAN, id: 4, title: "Free", price: 0 }] };
    const stage = await openConsole("/plan", {
      "GET /api/status": { ...status, payments: true },
      "GET /api/order/quote?plan_id=3": { amount: 1460, currency: "CNY", quota: 300 },
      ...offered,
    });
    const card = within(await screen.findByRole("article", { name: "Basic" }));
    expect(await card.findByText("¥14.60")).toBeTruthy();
    expect(card.getByText("或余额 300")).toBeTruthy();
    expect(stage.calls.filter(({ call }) => call.includes("/quote")).length).toBe(1);
    expect(card.getByRole("link", { name: "在线支付" }).getAttribute("href")).toBe("/topup?plan=3");
    const free = within(screen.getByRole("article", { name: "Free" }));
    expect(free.queryByRole("link", { name: "在线支付" })).toBeNull();
  });

  it("shows the remaining quota and the next reset, and renews by itself or by hand", async () => {
    const stage = await openConsole("/plan", {
      "GET /api/status": status,
      "GET /api/plan/offered": [PLAN],
      "GET /api/subscription/self": [SUBSCRIPTION, { ...SUBSCRIPTION, id: 4, title: "Old", state: "ended" }],
      "PUT /api/subscription/7/renews": undefined,
      "POST /api/subscription/": SUBSCRIPTION,
    });
    const mine = within(await screen.findByRole("region", { name: "我的套餐" }));
    expect(mine.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
    expect(mine.getByText(`${formatTime(3000)} 重置`)).toBeTruthy();
    expect(mine.getByText(`${formatTime(9000)} 到期`)).toBeTruthy();
    expect(within(screen.getByRole("region", { name: "历史套餐" })).getByText("Old")).toBeTruthy();
    await stage.person.click(mine.getByRole("switch"));
    await waitFor(() => expect(stage.bodyOf("PUT /api/subscription/7/renews")).toEqual({ renews: true }));
    await stage.person.click(mine.getByRole("button", { name: "续订" }));
    const question = within(await screen.findByRole("alertdialog"));
    await stage.person.click(question.getByRole("button", { name: "支付 300" }));
    await waitFor(() => expect(stage.bodyOf("POST /api/subscription/")).toEqual({ plan_id: 3, follows: 7 }));
  });

  it("says so where nothing is offered, and tries again where it did not come", async () => {
    let isUp = false;
    const { person } = await openConsole("/plan", {
      "GET /api/plan/offered": () => (isUp ? [] : Response.json({ success: false, message: "no" })),
    });
    const retry = await screen.findByRole("button", { name: "重试" });
    isUp = true;
    await person.click(retry);
    expect(await screen.findByText("暂无可购买的套餐")).toBeTruthy();
  });
});

describe("the management of plans", () => {
  it("lists them, and switches one off", async () => {
    const stage = await openConsole("/plan/manage", {
      "GET /api/plan": [PLAN],
      "PUT /api/plan/3": { ...PLAN, is_enabled: false },
    });
    await screen.findByRole("table");
    expect(stage.cells()[0]?.slice(0, 7)).toEqual([
      "Basic",
      "开放中",
      "300 / 月",
      "每天 500",
      "vip",
      "用完后继续使用余额",
      "1",
    ]);
    await stage.act("Basic", "禁用");
    await waitFor(() => expect(stage.bodyOf("PUT /api/plan/3")).toEqual({ is_enabled: false }));
  });

  it("creates a plan from the typed fields, and names the faulty ones", async () => {
    const stage = await openConsole("/plan/manage/add", { "POST /api/plan/": PLAN });
    const type = async (label: string, text: string) => {
      const field = await screen.findByLabelText(new RegExp(`^${label}`));
      await stage.person.clear(field);
      if (text !== "") await stage.person.type(field, text);
    };
    await type("名称", "Pro");
    await type("时长", "0");
    await type("分组", "a,b");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("请输入 1 至 1000 的整数")).toBeTruthy();
    expect(screen.getByText("只能填写一个分组")).toBeTruthy();
    await type("时长", "3");
    await type("分组", "pro");
    await type("价格", "700");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/plan/")).toEqual({
        title: "Pro",
        description: "",
        price: 700,
        duration_unit: "month",
        duration_count: 3,
        quota: 500_000,
        reset: "day",
        group: "pro",
        beyond: "balance",
        max_per_user: 0,
        sort_order: 0,
        is_enabled: true,
      }),
    );
  });

  it("changes the limits of a plan, and sends only those", async () => {
    const stage = await openConsole("/plan/manage/edit/3", {
      "GET /api/plan/3": { ...PLAN, rpd: 50, daily_quota: 700 },
      "PUT /api/plan/3": PLAN,
    });
    const requests = await screen.findByLabelText<HTMLInputElement>("每日请求数");
    expect(requests.value).toBe("50");
    await stage.person.clear(requests);
    await stage.person.type(await screen.findByLabelText(/^每周预算/), "900");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("PUT /api/plan/3")).toMatchObject({ rpd: 0, weekly_quota: 900 }));
    expect(stage.bodyOf("PUT /api/plan/3")).not.toHaveProperty("daily_quota");
  });

  it("shows who has a plan, gives one and ends one", async () => {
    const stage = await openConsole("/plan/subscribers", {
      "GET /api/subscription/": [SUBSCRIPTION],
      "GET /api/plan": [PLAN],
      "POST /api/subscription/given": SUBSCRIPTION,
      "POST /api/subscription/7/end": undefined,
    });
    await screen.findByRole("table");
    expect(stage.cells()[0]?.slice(0, 6)).toEqual(["7", "alice", "Basic", "有效", "余额购买", "125 / 500"]);
    await stage.act("alice", "立即结束");
    const question = within(await screen.findByRole("alertdialog"));
    await stage.person.click(question.getByRole("button", { name: "立即结束" }));
    await waitFor(() =>
      expect(stage.calls.map(({ call }) => call)).toContain("POST /api/subscription/7/end"),
    );
    await stage.person.click(await screen.findByRole("button", { name: "赠送套餐" }));
    const window = within(await screen.findByRole("dialog"));
    await window.findByText("Basic");
    const user = window.getByLabelText(/^用户 ID/);
    await stage.person.click(window.getByRole("button", { name: "赠送套餐" }));
    await waitFor(() => expect(document.activeElement).toBe(user));
    await stage.person.type(user, "5");
    await stage.person.click(window.getByRole("button", { name: "赠送套餐" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/subscription/given")).toEqual({ plan_id: 3, user_id: 5 }),
    );
  });
});
