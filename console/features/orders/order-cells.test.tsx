// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { openConsole } from "../../testing/open-console";
import { sortThrough } from "../../testing/sort-through";

const order = (id: number, more: object = {}) => ({
  id,
  number: `${id}`.repeat(32).slice(0, 32),
  user_id: id,
  username: `user ${id}`,
  provider: "stripe",
  method: "",
  state: "paid",
  usd: "2",
  amount: 1000,
  currency: "USD",
  quota: 1000,
  bonus: 0,
  factor: "1",
  payment: `p${id}`,
  refunded: 0,
  disputed: 0,
  taken: 0,
  is_late: false,
  created_time: 1_700_000_000 + id,
  expires_time: 4_000_000_000,
  paid_time: 1_700_000_100,
  completed_by: 0,
  completed_name: "",
  reason: "",
  detail: "",
  ...more,
});

const ORDERS = [
  order(2, { amount: 2000, quota: 3_000_000, refunded: 500, disputed: 250, state: "refunded" }),
  order(3, {
    amount: 3000,
    quota: 1_500_000,
    is_late: true,
    provider: "epay",
    method: "alipay",
    state: "pending",
  }),
  order(1, { provider: "wechat-pay", amount: 1000, quota: 500_000, refunded: 900, disputed: 900 }),
];

it("lists orders with their money: refunds are named, and never exceed the payment", async () => {
  const stage = await openConsole("/order", {
    "GET /api/status": { payments: true },
    "GET /api/user/self": { id: 1, username: "me", role: 100 },
    "GET /api/payment/orders": ORDERS,
  });
  expect(stage.cells().map((row) => row.join(" | "))).toEqual([
    "22222222 | 2023-11-14 22:13:22 | user 2 | 已退款 | Stripe | 3,000,000 | $20.00−$7.50",
    "33333333 | 2023-11-14 22:13:23 | user 3 | 待支付逾期到账 | 支付宝 | 1,500,000 | $30.00",
    "11111111 | 2023-11-14 22:13:21 | user 1 | 已支付 | 微信支付 | 500,000 | $10.00−$10.00",
  ]);
});

it("sorts orders by each of their columns", async () => {
  const stage = await openConsole("/order", {
    "GET /api/status": { payments: true },
    "GET /api/user/self": { id: 1, username: "me", role: 100 },
    "GET /api/payment/orders": ORDERS,
  });
  const orders = await sortThrough(
    stage,
    ["时间", "状态", "支付方式", "额度", "金额"],
    (row) => /user (\d)/.exec(row.join())?.[1],
  );
  expect(orders).toEqual({ 时间: "123", 状态: "132", 支付方式: "321", 额度: "132", 金额: "123" });
});
