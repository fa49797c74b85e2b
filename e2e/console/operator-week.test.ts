import { addChannel, addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { startFakeEPay } from "@tollgate/testkit/fake-payments/fake-epay";
import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, type SignedIn, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, fieldOf, jsonFieldOf, newVisit, unfoldSettings } from "./visitor";

let server: ServerProcess;
let upstream: FakeUpstream;
let provider: FakeProvider;
let browser: Browser;
let channel: number;
let carol: SignedIn;
/** The operator's window, and the customer's. */
let operator: Page;
let customer: Page;

beforeAll(async () => {
  [server, upstream, provider, browser] = await Promise.all([
    startServer({ env: { LOG_LEVEL: "error" } }),
    startFakeUpstream(),
    startFakeEPay(),
    launchBrowser(),
  ]);
  const root = await server.signIn();
  const added = { base_url: upstream.url, models: "gpt-3.5-turbo", group: "fast" };
  channel = await addChannel(root, added);
  carol = await addUser(root, server.signIn, "carol");
  [operator, customer] = await Promise.all([newVisit(browser), newVisit(browser)]);
  await enter(operator, server.url);
  await enter(customer, server.url, "carol", "password-1");
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await Promise.all([upstream?.close(), provider?.close()]);
});

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** Waits until a page says that something was done, and takes the notice away. */
const seeDone = async (page: Page, text = "操作成功完成!"): Promise<void> => {
  const notice = page.getByText(text).first();
  await notice.waitFor();
  await page.keyboard.press("Escape");
};

/** Fills fields of the settings and saves them. */
const saveSettings = async (fields: Readonly<Record<string, string>> = {}): Promise<void> => {
  for (const [key, value] of Object.entries(fields)) await operator.locator(`[name="${key}"]`).fill(value);
  const saved = operator.waitForResponse(
    (answer) => answer.request().method() === "PUT" && answer.url().endsWith("/api/option/"),
  );
  await press(operator, "保存");
  await saved;
};

const choose = async (page: Page, field: string, option: string | RegExp): Promise<void> => {
  await page.getByLabel(field, { exact: true }).click();
  await page.getByRole("option", { name: option }).click();
};

const balance = async (): Promise<number> =>
  ((await carol.api("GET", "/api/user/self")).body.data as { quota: number }).quota;

describe("an operator's week", () => {
  it("begins with selling: a package, a provider, groups to choose from, a plan and the upstream's prices", async () => {
    await operator.goto(`${server.url}/setting?tab=system`);
    await unfoldSettings(operator);
    await saveSettings({ ServerAddress: server.url });
    const offers = operator.getByRole("group", { name: "充值档位与折扣" });
    await offers.getByRole("button", { name: "添加一行" }).first().click();
    await offers.getByLabel("金额（美元） 1").fill("2");
    await offers.getByLabel("赠送（美元） 1").fill("1");
    await saveSettings();
    await saveSettings({ ...provider.options });
    await operator.getByRole("switch", { name: "启用易支付" }).click();
    await operator.getByRole("switch", { name: "出售额度" }).click();
    await seeDone(operator);

    await operator.goto(`${server.url}/setting?tab=operation`);
    await unfoldSettings(operator);
    const usable = operator.getByRole("group", { name: "令牌可选分组" });
    await usable.getByRole("button", { name: "添加一行" }).click();
    // The focus is in the new row.
    await operator.keyboard.type("fast");
    await operator.keyboard.press("Tab");
    await operator.keyboard.type("快速线路");
    await (await jsonFieldOf(operator, "分组倍率")).fill('{"default":1,"fast":2}');
    await saveSettings();
    await seeDone(operator);
    await operator.getByRole("switch", { name: "提供套餐" }).click();
    await seeDone(operator);

    await operator.goto(`${server.url}/plan/manage/add`);
    await fieldOf(operator, "名称").fill("月卡");
    await fieldOf(operator, "价格").fill("1");
    await fieldOf(operator, "包含额度").fill("2");
    await press(operator, "提交");
    await operator.waitForURL("**/plan/manage");
    await operator.getByRole("cell", { name: "月卡", exact: true }).waitFor();

    await operator.goto(`${server.url}/channel/buying/${channel}`);
    await choose(operator, "默认", "官方价 × 系数");
    await operator.getByLabel("系数").fill("0.5");
    await press(operator, "提交");
    await seeDone(operator);
  });

  it("sells quota: paid by the provider's callback, listed as an order, written in the ledger", async () => {
    await customer.goto(`${server.url}/topup`);
    await customer.getByText("$2").first().waitFor();
    await press(customer, "支付");
    const opened = customer.waitForEvent("popup");
    await customer.getByRole("link", { name: "前往支付宝支付" }).click();
    await (await opened).waitForLoadState();
    const [order] = provider.orders.values();
    if (!order) throw new Error("the provider was asked for no payment");
    expect(order.amount).toBe(1460);
    const sent = provider.callback({ ...order, state: "paid" });
    const answer = await fetch(`${order.notifyUrl}${sent.query}`);
    expect(await answer.text()).toBe("success");
    await customer.getByText("支付成功，已充值 $3.00").waitFor();
    expect(await balance()).toBe(1_500_000);

    await customer.goto(`${server.url}/order`);
    const row = customer.getByRole("row").filter({ hasText: "已支付" });
    expect(await row.textContent()).toContain("14.60");
    await customer.goto(`${server.url}/ledger`);
    const entry = customer.getByRole("row").filter({ hasText: "支付" });
    expect(await entry.textContent()).toContain("+$3.00");
  });

  it("sells a plan from the balance", async () => {
    await customer.goto(`${server.url}/plan`);
    const plan = customer.getByRole("article", { name: "月卡" });
    await plan.getByRole("button", { name: "用余额购买" }).click();
    await press(customer, "支付 $1.00");
    await seeDone(customer, "购买成功！");
    await customer.getByRole("region", { name: "我的套餐" }).getByText("月卡").first().waitFor();
    expect(await balance()).toBe(2_000_000);
  });

  it("serves a key by the group that its owner chose", async () => {
    await customer.goto(`${server.url}/token/add`);
    await fieldOf(customer, "名称").fill("笔记本");
    await choose(customer, "分组", /^fast/);
    await customer.getByRole("switch", { name: "无限额度" }).click();
    await press(customer, "提交");
    await customer.waitForURL("**/token");
    const [token] = (await carol.api("GET", "/api/token/?p=0")).body.data as { key: string }[];
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer sk-${token?.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(answer.status).toBe(200);
    // 13 prompt and 5 completion tokens, twice for the group: ceil((13 + 5 × 3) × 0.25 × 2) = 14.
    await expect.poll(balance).toBe(1_999_986);
  });

  it("ends with the earnings, and a statement whose lines add up", async () => {
    await operator.goto(`${server.url}/profit`);
    const sums = operator.getByRole("region", { name: "合计" });
    // Half of the list price, 7, is what the upstream asks: 3.5 of the 14 that were charged.
    await expect.poll(() => sums.textContent()).toContain("利润率75.0%");
    await operator.goto(`${server.url}/statement?username=carol`);
    const lines = operator.getByRole("region", { name: "余额", exact: true }).getByRole("row");
    await lines.first().waitFor();
    expect(await lines.allTextContents()).toEqual([
      "期初余额$0.000000",
      "支付1 次+$3.000000",
      "套餐额度1 次+$2.000000",
      "购买套餐1 次−$1.000000",
      "请求费用1 次−$0.000028",
      "期末余额$3.999972",
    ]);
  });

  it("sells a plan for money, sends back its unspent part, and the ledger leads to the order", async () => {
    const before = await balance();
    await customer.goto(`${server.url}/plan`);
    await customer
      .getByRole("article", { name: "月卡" })
      .filter({ has: customer.getByRole("link", { name: "在线支付" }) })
      .getByRole("link", { name: "在线支付" })
      .click();
    await customer.getByRole("heading", { name: "购买“月卡”" }).waitFor();
    await press(customer, "支付");
    const opened = customer.waitForEvent("popup");
    await customer.getByRole("link", { name: "前往支付宝支付" }).click();
    await (await opened).waitForLoadState();
    const order = [...provider.orders.values()].at(-1);
    if (!order) throw new Error("the provider was asked for no payment");
    expect(order.amount).toBe(730);
    const sent = provider.callback({ ...order, state: "paid" });
    for (let again = 0; again < 3; again += 1) await fetch(`${order.notifyUrl}${sent.query}`);
    await customer.getByText("支付成功，“月卡”已生效").waitFor();
    expect(await balance()).toBe(before + 1_000_000);

    await operator.goto(`${server.url}/ledger`);
    await operator
      .getByRole("link", { name: order.number.slice(0, 8) })
      .first()
      .click();
    await press(operator, "退款");
    const dialog = operator.getByRole("dialog");
    await dialog.getByLabel(/原因/).fill("asked for it");
    await dialog.getByRole("button", { name: "退款" }).click();
    await operator.getByText(/请到支付平台手动退款 ¥7.30/).waitFor();
    expect(await balance()).toBe(before);
    await customer.goto(`${server.url}/ledger`);
    const back = customer.getByRole("row").filter({ hasText: "套餐未用部分" });
    expect(await back.textContent()).toContain("+$1.00");
    await back.getByRole("link", { name: order.number.slice(0, 8) }).click();
    await customer.waitForURL(`**/order/${order.number}`);
    await customer.getByText("月卡", { exact: true }).first().waitFor();
  });
});
