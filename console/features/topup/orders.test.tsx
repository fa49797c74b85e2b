// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

vi.setConfig({ testTimeout: 30_000 });

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
    await waitFor(() => expect(screen.getAllByText("730.00 CNY")).toHaveLength(2));
    expect(screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent)).toEqual([
      "支付宝",
      "微信支付 · 易支付",
      "微信支付",
    ]);
    await stage.person.click(screen.getByRole("radio", { name: "微信支付" }));
    await stage.person.click(screen.getByRole("button", { name: "支付" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/order")).toEqual({ provider: "wechat-pay", method: "", usd: "100" }),
    );
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByRole("img", { name: "微信支付付款二维码" })).toBeTruthy();
    expect(dialog.getByText("14.60 CNY")).toBeTruthy();
    state = "paid";
    expect(await dialog.findByText(/支付成功/)).toBeTruthy();
    expect(dialog.queryByRole("img", { name: "微信支付付款二维码" })).toBeNull();
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

  it("of everybody are an administrator's, who completes and refunds with a reason", async () => {
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
    await stage.person.click(await screen.findByRole("link", { name: "订单详情" }));
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
    expect(stage.notices.at(-1)?.text).toContain("14.60 CNY");
  });
});
