/*
 * Sales in the demo's world: settings, plans, codes, orders, invitations, a bill and drafts of prices. All of them are
 * made by the product's own calls, as from the console, at the time of the demo's clock.
 */

import { setTimeout as wait } from "node:timers/promises";
import { createAnnouncement } from "@tollgate/contract/api/announcements";
import { createApiKey, listApiKeys } from "@tollgate/contract/api/api-keys";
import { testChannel, typeBalance } from "@tollgate/contract/api/channel-upstream";
import { type Channel, listChannels } from "@tollgate/contract/api/channels";
import { askPayout, listPayouts, markPayoutPaid } from "@tollgate/contract/api/invitations";
import { changeOption } from "@tollgate/contract/api/options";
import {
  askProvider,
  cancelOrder,
  completeOrder,
  createOrder,
  type Order,
  refundOrder,
} from "@tollgate/contract/api/orders";
import { getInviteCode, redeemCode } from "@tollgate/contract/api/own-account";
import { buyPlan, createPlan, endSubscription, listOwnSubscriptions } from "@tollgate/contract/api/plans";
import {
  createPriceDraft,
  getCurrentPrices,
  getRehearsal,
  publishPriceDraft,
  startRehearsal,
} from "@tollgate/contract/api/price-drafts";
import { listPriceRules, savePriceRule } from "@tollgate/contract/api/price-rules";
import { getProfit } from "@tollgate/contract/api/profit";
import { createPromotions } from "@tollgate/contract/api/promotions";
import { reconcileBill } from "@tollgate/contract/api/reconciliations";
import { changeRedemption, createRedemptions, listRedemptions } from "@tollgate/contract/api/redemptions";
import { register } from "@tollgate/contract/api/sign-in";
import type { CallOf } from "@tollgate/contract/resource/endpoint";
import { type ApiAnswer, callApi, type SignedIn } from "./api-client";
import { ask, demand } from "./build-world";
import { makeInvoices } from "./invoices";
import { CASHIER_MERCHANT } from "./simulated-cashier";
import { answerRefund, askForRefund, discussLimits, reportRequest } from "./tickets";
import { DAY_SECONDS, DEMO_GROUPS, DEMO_PASSWORD, INVITED_USER } from "./world";

/** The site of the sales, and its clock. */
export interface TradingSite {
  /** Address of the product, without a trailing slash. */
  url: string;
  /** The simulated cashier's address, as in the option EPayAddress. */
  cashierUrl: string;
  /** Sets the clock to a number of days before the present. */
  goTo(daysAgo: number): void;
  /** Unix seconds by the demo's clock. */
  now(): number;
  /** A person, signed in. */
  as(username: string): Promise<SignedIn>;
}

const USD = 500_000;

const announce = (root: SignedIn, body: CallOf<typeof createAnnouncement>["body"]): Promise<unknown> =>
  ask(root, createAnnouncement, { body });

const DAYS_OF_BILL = 14;
/** The gateway checks plans every three seconds, and rehearses a month in one; a busy machine takes longer. */
const PATIENCE_MS = 60_000;

/** Waits for work that the gateway does by itself. @param state of this work. @throws Error on a timeout. */
const until = async (wanted: string, state: () => Promise<string | undefined>): Promise<void> => {
  const untilMs = performance.now() + PATIENCE_MS;
  while ((await state()) !== wanted) {
    if (performance.now() > untilMs) throw new Error(`the demo waited for "${wanted}" in vain`);
    await wait(50);
  }
};

const setOptions = async (root: SignedIn, options: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(options)) await ask(root, changeOption, { body: { key, value } });
};

/**
 * The prices that the world's usage is charged with: to be set before it, once the channels exist.
 * @returns the version of the prices.
 */
export const setPrices = async (root: SignedIn): Promise<number> => {
  await setOptions(root, { GroupRatio: JSON.stringify(DEMO_GROUPS) });
  for (const { id, name } of await channelsOf(root))
    if (name.includes("备")) await ask(root, typeBalance, { body: { id, balance: 20 } });
  return (await ask(root, getCurrentPrices, {})).price_version;
};

const channelsOf = (root: SignedIn): Promise<Channel[]> => ask(root, listChannels, { query: { p: 0 } });

/** Reports a busy upstream in the words of the site, and a prompt that is too long in those of the upstream. */
const ERROR_RULES = [
  {
    statuses: [429, "5xx"],
    answer: "own",
    status: 503,
    text: {
      "zh-CN": "模型繁忙，请稍后重试，或换用其他模型。",
      "zh-TW": "模型忙碌，請稍後重試，或改用其他模型。",
      en: "The model is busy. Try again later, or use another model.",
    },
  },
  { words: ["context_length_exceeded"], answer: "original" },
];

/** Settings for choosing channels, for pages of customers, and for purchases. */
const openShop = async ({ url, cashierUrl }: TradingSite, root: SignedIn): Promise<void> => {
  await setOptions(root, {
    ServerAddress: url,
    EPayAddress: cashierUrl,
    EPayMerchantId: CASHIER_MERCHANT.id,
    EPayKey: CASHIER_MERCHANT.key,
    EPayMethods: "alipay,wxpay",
    EPayMethodsInPage: "wxpay",
    EPayEnabled: "true",
    PaymentUnitPrice: "7.2",
    PaymentOffers: JSON.stringify({
      packages: [{ usd: 5 }, { usd: 20 }, { usd: 100, bonus: 5 }],
      discounts: [{ from: 50, factor: 0.95 }],
      groups: { svip: 0.9 },
    }),
    PaymentEnabled: "true",
    PlansEnabled: "true",
    InvoicesEnabled: "true",
    TicketsEnabled: "true",
    ErrorRules: JSON.stringify(ERROR_RULES),
    CommissionPercent: "10",
    CommissionOfEachPayment: "true",
    CommissionMinimum: String(USD / 2),
    UserUsableGroups: JSON.stringify({ default: "标准线路", vip: "优先线路，九五折" }),
    AutoGroups: "default,vip",
    GroupRouting: JSON.stringify({ default: "cheapest", svip: "fastest" }),
    ModelFallbacks: JSON.stringify({
      "gpt-5.5": ["gpt-5.4", "gpt-5.4-mini"],
      "gpt-5.4": { models: ["gpt-5.4-mini"], on: ["rate-limited", "timeout", "no-channel"] },
    }),
    PricePage: "public",
    ModelStatusPage: "public",
  });
};

const addPlans = async (root: SignedIn): Promise<{ trial: number; team: number }> => {
  const add = async (plan: CallOf<typeof createPlan>["body"]): Promise<number> =>
    (await ask(root, createPlan, { body: plan })).id;
  const trial = await add({
    title: "体验周卡",
    description: "七天内共 3 美元额度，每人一次",
    price: 2 * USD,
    duration_unit: "week",
    duration_count: 1,
    quota: 3 * USD,
    reset: "never",
    beyond: "balance",
    max_per_user: 1,
    sort_order: 1,
  });
  const team = await add({
    title: "团队月卡",
    description: "每周 5 美元额度，走优先线路",
    price: 12 * USD,
    duration_unit: "month",
    duration_count: 1,
    quota: 5 * USD,
    reset: "week",
    group: "vip",
    beyond: "balance",
    rpm: 120,
    concurrency: 20,
    daily_quota: 4 * USD,
    sort_order: 2,
  });
  return { trial, team };
};

/** An activity that the buying page shows at the present, and a code of the demo. */
const addPromotions = async (root: SignedIn, now: number): Promise<void> => {
  const add = (body: CallOf<typeof createPromotions>["body"]) => ask(root, createPromotions, { body });
  await add({
    kind: "activity",
    name: "双十一充值季",
    steps: [
      { from: 20 * USD, value: 500 },
      { from: 50 * USD, value: 1000 },
    ],
    starts_at: now + 49 * DAY_SECONDS,
    ends_at: now + 65 * DAY_SECONDS,
    max_uses_per_user: 0,
    max_total: 500 * USD,
  });
  await add({
    kind: "code",
    code: "WELCOME20",
    name: "新人八折",
    effect: "discount",
    steps: [{ from: 0, value: 2000 }],
    products: "top-up,plan",
    is_first_only: true,
    max_effect: 20 * USD,
  });
};

const order = (
  buyer: SignedIn,
  wanted: { usd: string } | { plan_id: number },
  method: "alipay" | "wxpay" = "alipay",
): Promise<Order> => ask(buyer, createOrder, { body: { provider: "epay", method, ...wanted } });

/** Opens the cashier's page and pays there. */
const pay = async ({ cashierUrl }: TradingSite, { number, pay: how }: Order): Promise<void> => {
  if (how?.content.startsWith("http")) await callApi("GET", how.content);
  const { status } = await callApi("POST", `${cashierUrl}pay/${number}`);
  if (status !== 303) throw new Error(`the simulated cashier answered ${status}`);
};

const refund = (root: SignedIn, { number }: Order, reason: string): Promise<unknown> =>
  ask(root, refundOrder, { params: { number }, body: { reason } });

const requestPayout = (user: SignedIn, quota: number, note: string): Promise<unknown> =>
  ask(user, askPayout, { body: { quota, note } });

/** An upstream's bill of the last days: as expected, except for one day with a higher amount. */
const addBill = async (root: SignedIn, now: number): Promise<void> => {
  const channel = (await channelsOf(root)).find(({ name }) => name.includes("主"));
  if (!channel) throw new Error("the channel of the bill is gone");
  const today = now - (now % DAY_SECONDS);
  const { rows } = await ask(root, getProfit, {
    query: {
      by: "day_model",
      order: "name",
      direction: "asc",
      limit: 1000,
      channel: channel.id,
      start_timestamp: today - DAYS_OF_BILL * DAY_SECONDS,
      end_timestamp: today - 1,
    },
  });
  const dearDay = rows[Math.floor(rows.length / 2)]?.key;
  const lines = rows.map(({ key, model, cost }) => {
    const usd = (cost / 1000 / USD) * (key === dearDay ? 1.08 : 1);
    return `${key},${model},${usd.toFixed(9)}`;
  });
  const file = Buffer.from(["date,model,cost", ...lines].join("\n")).toString("base64");
  const columns = { date: "date", model: "model", amount: "cost", decimal: ".", units_per_usd: 1 } as const;
  const bill = { channel: channel.id, file, offset_minutes: 0, threshold_percent: 5 };
  await ask(root, reconcileBill, { body: { ...bill, ...columns } });
};

/** A price for one customer, and two drafts of prices: one that was rehearsed, and one that is to hold soon. */
const planPrices = async (root: SignedIn, now: number): Promise<void> => {
  const { price_version } = await ask(root, listPriceRules, {});
  const rule = {
    name: "陈杰 · Claude 九五折",
    username: "chenjie",
    rule: {
      models: "claude-*",
      factor: 0.95,
      note: "年度合同",
      from: new Date(now * 1000).toISOString().slice(0, 10),
    },
    price_version,
  };
  await ask(root, savePriceRule, { body: rule });

  const draft = (name: string, changes: CallOf<typeof createPriceDraft>["body"]["changes"]) =>
    ask(root, createPriceDraft, { body: { name, changes } });
  const dearer = await draft("调高亏损模型", { ModelPrice: { "gpt-5.6-sol": { input: 5, output: 25 } } });
  const range = { from: now - 30 * DAY_SECONDS, to: now };
  const params = { id: dearer.id };
  await ask(root, startRehearsal, { params, body: range });
  const { id, revision } = await draft("下月会员价", { GroupRatio: { vip: 0.92 } });
  const holds_from = now + 7 * DAY_SECONDS;
  await ask(root, publishPriceDraft, { params: { id }, body: { revision, holds_from } });
  await until("done", async () => (await ask(root, getRehearsal, { params }))?.state);
};

/** Some current requests, so that receipts show their processing. */
const makeRequests = async ({ url, as }: TradingSite): Promise<void> => {
  const chat = async (key: string, model: string, content: string): Promise<ApiAnswer> => {
    const body = { model, messages: [{ role: "user", content }] };
    const answer = await callApi("POST", `${url}/v1/chat/completions`, body, { token: `sk-${key}` });
    if (answer.status !== 200) throw new Error(`a request of the demo was answered ${answer.text}`);
    return answer;
  };
  const keyOf = async (username: string, group?: string): Promise<string> => {
    const owner = await as(username);
    if (group !== undefined) {
      const limits = { rpm: 60, daily_quota: 2 * USD };
      await ask(owner, createApiKey, { body: { name: "自动分组", unlimited_quota: true, group, ...limits } });
    }
    const [token] = await ask(owner, listApiKeys, { query: { p: 0 } });
    if (!token) throw new Error(`${username} has no key`);
    return token.key;
  };
  const report = "请总结这份季度报告：收入、成本与毛利逐月变化如下。".repeat(400);
  const [member, auto, large] = await Promise.all([
    keyOf("zhangmin"),
    keyOf(INVITED_USER, "auto"),
    keyOf("chenjie"),
  ]);
  await Promise.all([
    ...["gpt-5.4", "gpt-5.6-sol", "gpt-5.4", "claude-sonnet-5-5"].map((model) => chat(member, model, report)),
    chat(auto, "gpt-5.4-mini", "把“早上好”翻译成英文。"),
    chat(auto, "gpt-5.5", "介绍一下你自己。"),
    chat(large, "claude-sonnet-5-5", report),
  ]);
};

/**
 * Two months of trade, up to now: each step at its time.
 * @param siteUrl where people find the site afterwards: providers call back there.
 * @throws Error when a call is refused.
 */
export const trade = async (site: TradingSite, siteUrl: string): Promise<void> => {
  const { as, goTo } = site;
  const root = (): Promise<SignedIn> => as("root");
  const buy = async (username: string, usd: string, method?: "alipay" | "wxpay"): Promise<Order> => {
    const made = await order(await as(username), { usd }, method);
    await pay(site, made);
    return made;
  };

  goTo(50.4);
  await openShop(site, await root());
  await announce(await root(), {
    title: "欢迎使用",
    body: "令牌在“令牌”页创建，用量在“日志”页查询。遇到问题请带上**请求 ID** 联系我们。",
  });
  const plans = await addPlans(await root());
  await addPromotions(await root(), site.now());
  const codes = async (body: CallOf<typeof createRedemptions>["body"]) =>
    ask(await root(), createRedemptions, { body });
  const redeem = async (username: string, key: string | undefined): Promise<unknown> =>
    ask(await as(username), redeemCode, { body: { key: key ?? "" } });
  const gifts = await codes({ name: "新年礼包", quota: USD, count: 5 });
  const [shared] = await codes({
    ...{ name: "开业活动", quota: USD / 5, max_uses: 100 },
    expired_time: site.now() + 15 * DAY_SECONDS,
  });

  goTo(46.2);
  await redeem("alice", shared);
  await redeem("wangwei", shared);
  await buy("wangwei", "20");

  goTo(40.6);
  await ask(await as("alice"), buyPlan, { body: { plan_id: plans.trial } });
  await redeem("zhangmin", gifts[0]);

  goTo(33.6);
  const alice = await as("alice");
  await until("ended", async () => {
    const [only] = await ask(alice, listOwnSubscriptions, {});
    return only?.state;
  });

  goTo(31.3);
  await buy("chenjie", "100", "wxpay");

  goTo(24.5);
  await announce(await root(), {
    title: "本周六 02:00–04:00 线路维护",
    body: "期间部分请求会改走备用线路，价格不变：\n\n- 流式请求可能中断，请重试\n- 账单不受影响",
    level: "warning",
    is_pinned: true,
  });
  const unwanted = await order(await as("zhangmin"), { usd: "5" });
  await ask(await as("zhangmin"), cancelOrder, { params: { number: unwanted.number } });
  const aff_code = await ask(await as("wangwei"), getInviteCode, {});
  const invited = { username: INVITED_USER, password: DEMO_PASSWORD, aff_code };
  await demand(callApi(register.method, site.url + register.path, invited));

  goTo(22.1);
  const toRefund = await buy(INVITED_USER, "20");
  await redeem(INVITED_USER, gifts[1]);
  const mistake = await buy("alice", "5");

  goTo(21.4);
  const complaint = await askForRefund(await as("alice"));

  goTo(20.6);
  await refund(await root(), mistake, "买错了账号");
  await answerRefund(await root(), await as("alice"), complaint);

  goTo(16.3);
  await requestPayout(await as("wangwei"), USD, "支付宝 wangwei@example.com");

  goTo(15.5);
  for (const { id } of await ask(await root(), listPayouts, {}))
    await ask(await root(), markPayoutPaid, { params: { id }, body: { reason: "已转账" } });

  goTo(12.4);
  // Amounts spent on a plan are not refunded.
  await ask(await as(INVITED_USER), buyPlan, { body: { plan_id: plans.team } });
  const running = await ask(await as(INVITED_USER), listOwnSubscriptions, {});

  goTo(11.2);
  await refund(await root(), toRefund, "用户申请退款");
  for (const { id } of running) await ask(await root(), endSubscription, { params: { id } });

  goTo(9.1);
  const late = await order(await as("wangwei"), { usd: "20" });
  goTo(9);
  await ask(await root(), askProvider, { params: { number: late.number } });

  goTo(6.5);
  const transferred = await order(await as("lihua"), { usd: "50" });
  await ask(await root(), completeOrder, {
    params: { number: transferred.number },
    body: { reason: "对公转账，回单 20261117" },
  });

  goTo(5.6);
  await pay(site, await order(await as("zhangmin"), { plan_id: plans.team }));

  goTo(4.7);
  await buy(INVITED_USER, "20", "wxpay");

  goTo(3.1);
  await discussLimits(await as("lihua"), await as("zhangmin"));

  goTo(2.3);
  await requestPayout(await as("wangwei"), USD, "支付宝 wangwei@example.com");
  const listed = await ask(await root(), listRedemptions, { query: { p: 0 } });
  const unused = listed.find(({ usedCount }) => usedCount === 0);
  if (unused)
    await ask(await root(), changeRedemption, {
      query: { status_only: true },
      body: { id: unused.id, status: 2 },
    });

  goTo(0);
  const operator = await root();
  await makeRequests(site);
  const working = (await channelsOf(operator)).filter(({ status }) => status === 1);
  await Promise.all(working.map(({ id }) => ask(operator, testChannel, { params: { id } })));
  await addBill(operator, site.now());
  await planPrices(operator, site.now());
  await makeInvoices(operator, as);
  await reportRequest(await as("zhangmin"));
  await setOptions(operator, { ServerAddress: siteUrl });
  await order(await as("zhangmin"), { usd: "20" });
};
