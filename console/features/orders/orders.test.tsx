// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const NUMBER = "0123456789abcdef0123456789abcdef";
const ORDER = {
  id: 3,
  number: NUMBER,
  user_id: 1,
  username: "me",
  provider: "wechat-pay",
  method: "",
  state: "pending",
  usd: "2",
  amount: 1460,
  currency: "CNY",
  quota: 1000,
  bonus: 0,
  factor: "1",
  payment: "",
  refunded: 0,
  disputed: 0,
  taken: 0,
  is_late: false,
  created_time: 1_700_000_000,
  expires_time: 4_000_000_000,
  paid_time: 0,
  completed_by: 0,
  completed_name: "",
  reason: "",
  detail: "",
  pay: { kind: "qr", content: "weixin://wxpay/x" },
};
const quote = (usd: string, amount: number, quota: number, bonus = 0) => ({
  usd,
  amount,
  currency: "CNY",
  quota,
  bonus,
  factor: "1",
});
const TERMS = {
  currency: "CNY",
  unit_price: "7.3",
  minimum: "1",
  packages: [quote("2", 1460, 1000), quote("100", 73_000, 5500, 500)],
  discounts: [],
  providers: [
    { name: "epay", title: "EPay", methods: ["alipay", "wxpay"] },
    { name: "wechat-pay", title: "WeChat Pay", methods: [""] },
  ],
};
const SHOP = {
  "GET /api/status": { payments: true },
  "GET /api/user/self": { id: 1, username: "me", quota: 500 },
  "GET /api/order/terms": TERMS,
  // The initial amount has another quote, so that a test sees when the chosen amount's quote is shown.
  "GET /api/order/quote?usd=2": quote("2", 1460, 1000),
  "GET /api/order/quote": quote("100", 73_000, 5500, 500),
};

describe("the top-up page", () => {
  it("sells nothing where the site does not", async () => {
    await openConsole("/topup", { ...SHOP, "GET /api/status": {} }, 1);
    await screen.findByRole("button", { name: "兑换" });
    expect(screen.queryByText("在线购买")).toBeNull();
  });

  it("offers packages and ways to pay, and shows the code until the order is paid", async () => {
    let state = "pending";
    const stage = await openConsole(
      "/topup",
      {
        ...SHOP,
        "POST /api/order": ORDER,
        [`GET /api/order/${NUMBER}`]: () => ({ ...ORDER, state }),
      },
      1,
    );
    await stage.person.click(await screen.findByRole("button", { name: /\$100/ }));
    await waitFor(() => expect(screen.getAllByText("¥730.00")).toHaveLength(2));
    expect(screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent)).toEqual([
      "支付宝",
      "微信支付 · 易支付",
      "微信支付",
    ]);
    await stage.person.click(screen.getByRole("radio", { name: "微信支付" }));
    await stage.person.click(screen.getByRole("button", { name: "支付" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/order")).toEqual({
        ...{ provider: "wechat-pay", method: "", usd: "100" },
        ...{ expected_amount: 73_000, expected_quota: 5500 },
      }),
    );
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByRole("img", { name: "微信支付付款二维码" })).toBeTruthy();
    expect(dialog.getByText("¥14.60")).toBeTruthy();
    state = "paid";
    expect(await dialog.findByText(/支付成功/)).toBeTruthy();
    expect(dialog.queryByRole("img", { name: "微信支付付款二维码" })).toBeNull();
  });
});

describe("a plan that is paid by an order of its own", () => {
  it.each([
    ["", /支付成功，“Pro”已生效/],
    ["withdrawn", /套餐未能生效（套餐已下架），已改为充值 1,000/],
  ])("is ordered over a provider, and its outcome is shown (%s)", async (fault, said) => {
    const plan = { id: 7, title: "Pro", price: 1000, duration_unit: "month", duration_count: 1, quota: 5 };
    const ordered = { ...ORDER, plan_id: 7, plan_title: "Pro" };
    let state = fault === "" ? "pending" : "paid";
    const stage = await openConsole(
      "/topup?plan=7",
      {
        ...SHOP,
        "GET /api/plan/offered": [plan],
        "GET /api/order/quote": quote("2", 1460, 1000),
        "POST /api/order": ordered,
        [`GET /api/order/${NUMBER}`]: () => ({
          ...ordered,
          state,
          plan_fault: state === "paid" ? fault : "",
        }),
      },
      1,
    );
    expect(await screen.findByRole("heading", { name: "购买“Pro”" })).toBeTruthy();
    expect(screen.getByText("¥14.60")).toBeTruthy();
    await stage.person.click(screen.getByRole("radio", { name: "微信支付" }));
    await stage.person.click(screen.getByRole("button", { name: "支付" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/order")).toEqual({
        ...{ provider: "wechat-pay", method: "", plan_id: 7 },
        ...{ expected_amount: 1460, expected_quota: 1000 },
      }),
    );
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("套餐“Pro”")).toBeTruthy();
    state = "paid";
    expect(await dialog.findByText(said)).toBeTruthy();
  });

  it("that is not sold any more is not ordered", async () => {
    await openConsole("/topup?plan=9", { ...SHOP, "GET /api/plan/offered": [] }, 1);
    expect(await screen.findByRole("button", { name: "重试" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "支付" })).toBeNull();
  });

  it("shows an administrator the plan, and the effect of a refund", async () => {
    const order = {
      ...ORDER,
      state: "paid",
      plan_id: 7,
      plan_title: "Pro",
      subscription_id: 4,
      plan_back: 600,
      pay: undefined,
    };
    const stage = await openConsole("/order", {
      ...SHOP,
      "GET /api/payment/orders": [order],
      [`GET /api/payment/orders/${NUMBER}`]: { order, words: {}, refunds: [], faults: [] },
    });
    expect(await screen.findByText("套餐“Pro”")).toBeTruthy();
    await stage.person.click(screen.getByRole("link", { name: "01234567" }));
    expect(await screen.findByText("套餐未用部分")).toBeTruthy();
    await stage.person.click(screen.getByRole("button", { name: "退款" }));
    const asked = within(await screen.findByRole("dialog"));
    expect(asked.getByText("将立即结束 me 的“Pro”，并按未使用的额度比例退款。")).toBeTruthy();
  });
});

describe("orders", () => {
  it("of one's own are listed, and the one in the address is opened", async () => {
    const stage = await openConsole(
      `/order?number=${NUMBER}`,
      { ...SHOP, "GET /api/order": [ORDER], [`GET /api/order/${NUMBER}`]: ORDER },
      1,
    );
    expect(await screen.findByRole("dialog")).toBeTruthy();
    expect(stage.calls.some(({ call }) => call.startsWith("GET /api/payment"))).toBe(false);
  });

  it("announce that they are paid, and no second of the countdown", async () => {
    let order: object = ORDER;
    await openConsole(
      `/order?number=${NUMBER}`,
      { ...SHOP, "GET /api/order": [ORDER], [`GET /api/order/${NUMBER}`]: () => order },
      1,
    );
    const dialog = await screen.findByRole("dialog");
    const left = await within(dialog).findByText(/^剩余时间/);
    expect(left.closest("[aria-live]")).toBeNull();
    const region = dialog.querySelector("[aria-live=polite]");
    expect(region?.textContent).toBe("");
    order = { ...ORDER, state: "paid", paid_time: 1_700_000_060, pay: undefined };
    await waitFor(() => expect(region?.textContent).toContain("支付成功"));
    expect(dialog.contains(region)).toBe(true);
  });

  it.each<[string, object, number, number]>([
    ["the server's count and a device's clock years ahead", { seconds_left: 95 }, 2_000_000_000, 95],
    ["the server's count and a device's clock years behind", { seconds_left: 95 }, 1_000_000_000, 95],
    ["a server without a count", {}, 2_000_000_000, 900],
  ])("count down with %s", async (_, count, now, total) => {
    vi.spyOn(Date, "now").mockReturnValue(now * 1000);
    const order = { ...ORDER, expires_time: ORDER.created_time + 900, pay: { ...ORDER.pay, ...count } };
    await openConsole(
      `/order?number=${NUMBER}`,
      { ...SHOP, "GET /api/order": [order], [`GET /api/order/${NUMBER}`]: order },
      1,
    );
    const left = await screen.findByText(/^剩余时间/);
    const seconds = () => {
      const [, minutes, rest] = /(\d+):(\d\d)$/.exec(left.textContent ?? "") ?? [];
      return Number(minutes) * 60 + Number(rest);
    };
    // A busy machine may show it late.
    const first = seconds();
    expect(total - first).toBeLessThan(30);
    expect(first).toBeLessThanOrEqual(total);
    await waitFor(() => expect(seconds()).toBeLessThan(first));
  });

  it("of one's own have a page, where those that are open are paid", async () => {
    const stage = await openConsole(`/order/${NUMBER}`, { ...SHOP, [`GET /api/order/${NUMBER}`]: ORDER }, 1);
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("订单 01234567");
    expect(facts.textContent).toContain("金额¥14.60");
    expect(facts.textContent).toContain(NUMBER);
    expect([...document.querySelectorAll("ol li")].map(({ textContent }) => textContent)).toEqual([
      `下单 ¥14.60${formatTime(ORDER.created_time)}`,
      `待支付请在 ${formatTime(ORDER.expires_time)} 前完成支付`,
    ]);
    for (const name of ["退款", "手动完成", "查询支付平台"])
      expect(screen.queryByRole("button", { name })).toBeNull();
    await stage.person.click(screen.getByRole("button", { name: "支付" }));
    expect(await screen.findByRole("img", { name: "微信支付付款二维码" })).toBeTruthy();
    expect(stage.calls.some(({ call }) => call.startsWith("GET /api/payment"))).toBe(false);
  });

  it("of a number in the address of the list lead an administrator to its page", async () => {
    const order = { ...ORDER, state: "paid", paid_time: 1_700_000_060, pay: undefined };
    const stage = await openConsole(`/order?number=${NUMBER}&tab=ledger`, {
      ...SHOP,
      [`GET /api/payment/orders/${NUMBER}`]: { order, words: {}, refunds: [], faults: [] },
    });
    await waitFor(() => expect(stage.router.state.location.pathname).toBe(`/order/${NUMBER}`));
    const buyer = await screen.findByRole("link", { name: "me" }, { timeout: 10_000 });
    expect(buyer.getAttribute("href")).toBe("/user/1");
    expect([...document.querySelectorAll("ol li")].map(({ textContent }) => textContent)).toEqual([
      `下单 ¥14.60${formatTime(ORDER.created_time)}`,
      `已支付${formatTime(order.paid_time)}`,
      `到账 1,000${formatTime(order.paid_time)}`,
    ]);
    await stage.person.click(screen.getByRole("link", { name: "账目" }));
    const asked = () => stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/ledger"));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const call of asked()) expect(call).toContain(`order=${NUMBER}`);
  });

  it("are counted and summed by state above the list of all, which a state narrows", async () => {
    const of = (state: string, count: number, amount: number, refunded = 0, currency = "CNY") => ({
      ...{ state, count, amount, refunded, currency },
    });
    const stage = await openConsole("/order?page=2&q=me", {
      "GET /api/status": { list_queries: true },
      "GET /api/payment/orders": [ORDER],
      "GET /api/payment/orders/totals": [
        of("pending", 1, 1460),
        of("paid", 12, 100_000),
        of("paid", 1, 990, 0, "USD"),
        of("refunded", 1, 500, 500),
      ],
    });
    const totals = await screen.findByRole("region", { name: "订单汇总" });
    await within(totals).findByText("¥1000.00 + $9.90", { selector: "p *" });
    const buttons = within(totals).getAllByRole("button");
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      "待支付1¥14.60",
      "已支付13¥1000.00 + $9.90",
      "已退款1¥5.00",
    ]);
    await stage.person.click(within(totals).getByRole("button", { name: /^已支付/ }));
    await waitFor(() => expect(stage.router.state.location.search).toEqual({ q: "me", state: "paid" }));
    const asked = stage.calls.map(({ call }) => call).filter((call) => call.includes("/totals"));
    expect(asked).toEqual(["GET /api/payment/orders/totals?keyword=me&provider="]);
  });

  it("are narrowed to open refunds by the address, until a state is chosen", async () => {
    const stage = await openConsole("/order?refund=open", {
      "GET /api/status": { list_queries: true },
      "GET /api/payment/orders": [ORDER],
      "GET /api/payment/orders/totals": [
        { state: "paid", currency: "CNY", count: 1, amount: 5, refunded: 0 },
      ],
    });
    const asked = () => stage.calls.map(({ call }) => call).filter((call) => call.includes("/orders?"));
    await waitFor(() => expect(asked().at(-1)).toContain("refund=open"));
    expect(screen.getByText("待处理退款")).toBeTruthy();
    const totals = within(await screen.findByRole("region", { name: "订单汇总" }));
    await stage.person.click(await totals.findByRole("button", { name: /^已支付/ }));
    await waitFor(() => expect(stage.router.state.location.search).toEqual({ state: "paid" }));
    expect(asked().at(-1)).not.toContain("refund");
  });

  it("of all users are open to an administrator, who completes and refunds with a reason", async () => {
    const detail = (more: object) => ({
      order: { ...ORDER, ...more, pay: undefined },
      words: { event: "x" },
      refunds: [],
      faults: [
        {
          provider: "wechat-pay",
          order_id: 3,
          fault: "wrong-amount",
          count: 2,
          first_time: 1,
          last_time: 2,
          words: {},
        },
      ],
    });
    let shown = detail({});
    const path = `/api/payment/orders/${NUMBER}`;
    const stage = await openConsole("/order", {
      ...SHOP,
      "GET /api/payment/orders": [ORDER],
      [`GET ${path}`]: () => shown,
      [`POST ${path}/complete`]: () => {
        shown = detail({ state: "paid" });
        return shown.order;
      },
      [`POST ${path}/refund`]: { result: "by-hand", amount: 1460, currency: "CNY", taken: 1000, missing: 0 },
    });
    await stage.person.click(await screen.findByRole("link", { name: "01234567" }));
    expect(await screen.findByText(/金额不符 × 2/)).toBeTruthy();
    await stage.person.click(screen.getByRole("button", { name: "手动完成" }));
    const asked = within(await screen.findByRole("dialog"));
    await stage.person.click(asked.getByRole("button", { name: "手动完成" }));
    expect(await asked.findByText("请填写原因")).toBeTruthy();
    await stage.person.type(asked.getByLabelText(/原因/), "paid at the desk");
    await stage.person.click(asked.getByRole("button", { name: "手动完成" }));
    await stage.person.click(await screen.findByRole("button", { name: "退款" }));
    await waitFor(() =>
      expect(stage.bodyOf(`POST ${path}/complete`)).toEqual({ reason: "paid at the desk" }),
    );
    const refund = within(await screen.findByRole("dialog"));
    await stage.person.type(refund.getByLabelText(/原因/), "asked for it");
    await stage.person.click(refund.getByRole("button", { name: "退款" }));
    await waitFor(() => expect(stage.notices.at(-1)?.kind).toBe("warning"));
    expect(stage.notices.at(-1)?.text).toContain("¥14.60");
  });

  it("show a refund that waits, which an administrator settles by hand with a reason", async () => {
    const refund = (more: object) => ({
      id: 7,
      reference: "r",
      kind: "by-admin",
      amount: 1460,
      taken: 1000,
      missing: 0,
      state: "asking",
      actor_id: 1,
      actor_name: "root",
      reason: "asked for it",
      detail: "",
      created_time: 1,
      settled_by: 0,
      settled_name: "",
      settled_reason: "",
      settled_time: 0,
      ...more,
    });
    const order = { ...ORDER, state: "refunded", pay: undefined };
    let refunds = [refund({})];
    const path = `/api/payment/orders/${NUMBER}`;
    const stage = await openConsole("/order", {
      ...SHOP,
      "GET /api/payment/orders": [order],
      [`GET ${path}`]: () => ({ order, words: {}, refunds, faults: [] }),
      [`POST ${path}/refunds/7/settle`]: () => {
        refunds = [
          refund({ state: "failed", settled_name: "root", settled_reason: "keys gone", settled_time: 5 }),
        ];
        return refunds[0];
      },
    });
    await stage.person.click(await screen.findByRole("link", { name: "01234567" }));
    await stage.person.click(await screen.findByRole("button", { name: "确认未退款" }));
    const asked = within(await screen.findByRole("dialog"));
    expect(asked.getByText(/¥14.60/)).toBeTruthy();
    await stage.person.type(asked.getByLabelText(/原因/), "keys gone");
    await stage.person.click(asked.getByRole("button", { name: "确认未退款" }));
    await waitFor(() =>
      expect(stage.bodyOf(`POST ${path}/refunds/7/settle`)).toEqual({
        outcome: "not-sent",
        reason: "keys gone",
      }),
    );
    expect(await screen.findByText(/由 root 于 .* 手动处理 · keys gone/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "确认未退款" })).toBeNull();
  });
});
