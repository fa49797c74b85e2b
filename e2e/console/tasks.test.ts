import { startFakeEPay } from "@tollgate/testkit/fake-payments/fake-epay";
import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatewayStage, startGatewayStage } from "./gateway-stage";
import { fieldOf } from "./visitor";

/*
 * What people come to the console for, each from the page that they see after signing in, and in as few clicks as the best product
 * needs. A click counts, a choice in a list counts, and so does a command of the menu of commands, which any page opens by its keys.
 * Typing counts nothing.
 */

const DAY_MS = 86_400_000;

let stage: GatewayStage;
let provider: FakeProvider;
let channel: number;
let key: string;

beforeAll(async () => {
  [stage, provider] = await Promise.all([startGatewayStage(), startFakeEPay()]);
  channel = await stage.addChannel({ name: "主线", models: "gpt-3.5-turbo", rpm: 600 });
  key = await stage.addKey({ name: "笔记本" });
  for (const [option, value] of Object.entries({
    ServerAddress: stage.server.url,
    ModelStatusPage: "public",
    PricePage: "public",
    ...provider.options,
    EPayEnabled: "true",
    PaymentEnabled: "true",
  }))
    await stage.setOption(option, value);
  expect((await stage.ask(key)).status).toBe(200);
  expect((await stage.ask(key, { model: "no-such-model" })).status).toBe(404);
});

afterAll(async () => {
  await stage?.close();
  await provider?.close();
});

/** Has the customer buy quota. @returns the order's number */
const payOrder = async (): Promise<string> => {
  const body = { provider: "epay", method: "alipay", usd: "2" };
  const { number, pay } = (await stage.carol.api("POST", "/api/order", body)).body.data as {
    number: string;
    pay: { content: string };
  };
  await fetch(pay.content);
  const order = [...provider.orders.values()].at(-1);
  if (!order) throw new Error("the provider was asked for no payment");
  const { query } = provider.callback({ ...order, state: "paid" });
  await fetch(`${order.notifyUrl}${query}`);
  return number;
};

/** What the gateway stores as the price of a model. */
const storedPrice = async (model: string): Promise<unknown> => {
  const options = (await stage.root.api("GET", "/api/option/")).body.data as { key: string; value: string }[];
  const prices = options.find(({ key: name }) => name === "ModelPrice");
  return JSON.parse(prices?.value ?? "{}")[model];
};

/** A person at the console, whose clicks are counted. */
class Clicks {
  count = 0;
  constructor(readonly page: Page) {}

  async on(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }
  /** Follows a link by its name. */
  link = (name: string | RegExp) => this.on(this.page.getByRole("link", { name }).first());
  button = (name: string | RegExp) => this.on(this.page.getByRole("button", { name }).first());
  /** Opens the menu of commands by its keys, types, and takes the command of this name. */
  async command(typed: string, name: string | RegExp): Promise<void> {
    this.count += 1;
    // The keys hold from when their button is there.
    await this.page.getByRole("button", { name: /^搜索/ }).first().waitFor();
    await this.page.keyboard.press("Control+k");
    await this.page.getByRole("combobox", { name: "搜索与命令" }).fill(typed);
    await this.page.getByRole("option", { name }).first().click();
  }
}

/** A task: who does it, how many clicks it may take, and what is done and seen. */
const task = (
  title: string,
  who: "root" | "user" | "guest",
  most: number,
  perform: (clicks: Clicks, page: Page) => Promise<void>,
): void => {
  it(`${title}: at most ${most} clicks`, async () => {
    const page = who === "root" ? stage.page : who === "user" ? stage.customer : await stage.visit();
    await stage.open(who === "guest" ? "/" : "/token", page);
    const clicks = new Clicks(page);
    await perform(clicks, page);
    expect(clicks.count).toBeLessThanOrEqual(most);
  });
};

task("make a key and connect Claude Code with it", "user", 2, async (clicks, page) => {
  await clicks.command("添加令牌", "添加令牌");
  await fieldOf(page, "名称").fill("新电脑");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "接入令牌“新电脑”" });
  await clicks.on(dialog.getByRole("tab", { name: "Claude Code" }));
  await dialog
    .getByRole("tabpanel")
    .getByText(/ANTHROPIC_BASE_URL=.*sk-/s)
    .waitFor();
});

task("see why a request failed", "user", 1, async (clicks, page) => {
  await clicks.link("日志");
  await stage.row("no-such-model", page).first().waitFor();
  expect(await stage.row("no-such-model", page).first().textContent()).toMatch(/404.*没有/);
});

task("see who spent most yesterday", "root", 1, async (clicks, page) => {
  // The page's clock says tomorrow, so that the requests of this test are of yesterday.
  await page.clock.setSystemTime(Date.now() + DAY_MS);
  await clicks.command("昨天", "昨天谁花费最多");
  await page.getByRole("radio", { name: "昨天", checked: true }).waitFor({ state: "attached" });
  await page.getByRole("table", { name: "用户排行" }).getByText("carol").waitFor();
  await page.clock.setSystemTime(Date.now());
});

task("add a channel with three keys", "root", 2, async (clicks, page) => {
  await clicks.command("添加渠道", "添加渠道");
  await fieldOf(page, "名称").fill("三个密钥");
  await page.getByLabel("自定义模型").fill("gpt-4o");
  await page.keyboard.press("Enter");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate("navigator.clipboard.writeText('key-1\\nkey-2\\nkey-3')");
  await fieldOf(page, "密钥").focus();
  await page.keyboard.press("Control+v");
  await clicks.button("提交");
  await page.waitForURL("**/channel");
  const { data } = (await stage.root.api("GET", "/api/channel/search?keyword=三个密钥")).body;
  expect(data).toMatchObject([{ name: "三个密钥", key_count: 3 }]);
});

task("switch a channel off", "root", 1, async (clicks) => {
  await clicks.command("禁用 主线", "禁用渠道“主线”");
  const stateOf = async () =>
    ((await stage.root.api("GET", `/api/channel/${channel}`)).body.data as { status: number }).status;
  await expect.poll(stateOf).toBe(2);
  await stage.root.api("PUT", "/api/channel/", { id: channel, status: 1 });
});

task("replace the secret of a key", "user", 2, async (clicks, page) => {
  await clicks.command("轮换 笔记本", "轮换令牌“笔记本”");
  await clicks.button("生成新密钥");
  await page.getByRole("dialog", { name: "接入令牌“笔记本”" }).waitFor();
  const [stored] = (await stage.carol.api("GET", "/api/token/search?keyword=笔记本")).body.data as {
    key: string;
  }[];
  expect(stored?.key).not.toBe(key);
  key = stored?.key ?? "";
  expect((await stage.ask(key)).status).toBe(200);
});

task("let a key spend 10 USD a day at most", "user", 2, async (clicks, page) => {
  await clicks.command("编辑 笔记本", "编辑令牌“笔记本”");
  await fieldOf(page, "每日预算").fill("10");
  await clicks.button("提交");
  await page.waitForURL("**/token");
  const [changed] = ((await stage.carol.api("GET", "/api/token/search?keyword=笔记本")).body.data ?? []) as {
    daily_quota: number;
  }[];
  expect(changed?.daily_quota).toBe(5_000_000);
});

task("copy a key", "user", 1, async (clicks, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await clicks.on(stage.row("笔记本", page).getByRole("button", { name: /^复制/ }).first());
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^sk-/);
});

task("see what a channel earns", "root", 1, async (clicks, page) => {
  await clicks.command("利润 主线", "渠道“主线”的利润");
  await page.getByRole("region", { name: "合计" }).getByText(/[$]\d/).first().waitFor();
  expect(page.url()).toContain(`/channel/${channel}`);
});

task("see the movements of a user's balance", "root", 1, async (clicks, page) => {
  await clicks.command("账目 carol", "carol 的账目");
  await page.getByRole("heading", { name: "账目" }).waitFor();
  await stage.row("carol", page).first().waitFor();
});

task("test a channel", "root", 1, async (clicks, page) => {
  await clicks.command("测试 主线", "测试渠道“主线”");
  await page.getByText(/渠道 主线 测试成功/).waitFor();
});

task("see which model is slow", "root", 1, async (clicks, page) => {
  await clicks.command("耗时", "各模型的耗时");
  await page.getByRole("heading", { name: /耗时 · 模型/ }).waitFor();
  await page
    .getByRole("table", { name: "模型排行" })
    .getByRole("row", { name: /gpt-3.5-turbo.*(毫秒|秒|ms|s)/ })
    .waitFor();
});

task("see the limits of an upstream", "root", 1, async (clicks, page) => {
  await clicks.link("渠道");
  expect(await stage.row("主线", page).first().textContent()).toContain("/ 600");
});

task("see how models are served", "guest", 1, async (clicks, page) => {
  await clicks.link("服务状态");
  await page.getByText("gpt-3.5-turbo").first().waitFor();
});

task("read the own statement", "user", 2, async (clicks, page) => {
  await clicks.command("账单", "账单");
  await page.getByText("期末余额").first().waitFor();
});

task("invite a friend", "user", 1, async (clicks, page) => {
  await clicks.command("邀请", "邀请");
  const link = await page
    .getByText(/register\?aff=/)
    .first()
    .textContent();
  const friend = {
    username: "dave",
    password: "password-1",
    aff_code: new URL(link ?? "").searchParams.get("aff"),
  };
  expect((await stage.server.api("POST", "/api/user/register", friend)).body.success).toBe(true);
  await page.reload();
  // Only the first letter of a name is shown.
  await stage.row("d***", page).first().waitFor();
});

task("give the client of sign-in over GitHub", "root", 2, async (clicks, page) => {
  await clicks.command("GitHub Client ID", /GitHub Client ID/);
  await page.locator('[name="GitHubClientId"]').fill("client-1");
  await page.locator('[name="GitHubClientSecret"]').fill("secret-1");
  await page.keyboard.press("Enter");
  await stage.seeDone(page);
  const options = (await stage.root.api("GET", "/api/option/")).body.data;
  expect(options).toContainEqual(expect.objectContaining({ key: "GitHubClientId", value: "client-1" }));
});

task("publish an announcement", "root", 2, async (clicks, page) => {
  await clicks.command("发布公告", "发布公告");
  await fieldOf(page, "标题").fill("今晚维护");
  await fieldOf(page, "内容").fill("**22:00** 起维护一小时。");
  await clicks.button("提交");
  await page.waitForURL("**/setting/announcements");
  await stage.open("/announcement", stage.customer);
  await stage.customer.getByText("今晚维护").waitFor();
});

task("give a customer a discount, from the customer's page", "root", 2, async (clicks, page) => {
  await stage.open(`/user/${stage.carol.id}`, page);
  await clicks.link("专属价格");
  const dialog = page.getByRole("dialog");
  await fieldOf(page, "名称").fill("九折");
  await dialog.getByLabel(/^模型/).first().fill("gpt-*");
  await dialog
    .getByLabel(/系数|倍率/)
    .first()
    .fill("0.9");
  await page.keyboard.press("Enter");
  await stage.row("九折", page).getByText("carol").first().waitFor();
});

task("export a customer's month, from the customer's page", "root", 2, async (clicks, page) => {
  await stage.open(`/user/${stage.carol.id}`, page);
  await clicks.link("账单");
  await page.getByText("期末余额").first().waitFor();
  const download = page.waitForEvent("download");
  await clicks.button("导出");
  await page.getByRole("menuitem", { name: /PDF/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/[.]pdf$/);
});

task("refund an order", "root", 3, async (clicks, page) => {
  const number = await payOrder();
  await clicks.command(number, new RegExp(number.slice(0, 8)));
  await clicks.button("退款");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/原因/).fill("asked for it");
  await clicks.on(dialog.getByRole("button", { name: "退款" }));
  await page.getByText(/请到支付平台手动退款/).waitFor();
});

task("import a price list", "root", 3, async (clicks, page) => {
  await stage.setOption("ModelRatio", JSON.stringify({ "gpt-3.5-turbo": 7 }));
  // The catalogue answers for the published list, which is on another site.
  await page.route("**/api/prices/preview", (route) =>
    route.continue({ postData: { ...route.request().postDataJSON(), source: "catalogue" } }),
  );
  await clicks.command("开始对照", "开始对照");
  await page.getByRole("button", { name: "开始对照" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await clicks.button(/^全部采用/);
  await clicks.on(page.getByRole("alertdialog").getByRole("button", { name: /^全部采用/ }));
  await page.getByText(/已采用 \d+ 个价格/).waitFor();
  await page.unroute("**/api/prices/preview");
  expect(await storedPrice("gpt-3.5-turbo")).toEqual({ input: 0.5, output: 1.5 });
});

task("have a price change on Monday", "root", 3, async (clicks, page) => {
  await clicks.command("新建草稿", "新建草稿");
  await page.getByRole("button", { name: "新建草稿" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("模型、分组或名称").fill("gpt-3.5-turbo");
  await page.keyboard.press("Enter");
  await page.getByLabel(/^草稿中的值.*gpt-3.5-turbo/).fill("3");
  await fieldOf(page, "名称").fill("下周的价格");
  await page.keyboard.press("Enter");
  const monday = new Date();
  monday.setDate(monday.getDate() + 8 - (monday.getDay() || 7));
  const time = `${monday.toLocaleDateString("sv-SE")} 00:00:00`;
  await fieldOf(page, "指定生效时间").fill(time);
  await page.keyboard.press("Enter");
  await page.getByText(`将于 ${time} 生效。`).waitFor();
  const { data } = (await stage.root.api("GET", "/api/price-drafts")).body;
  expect(data).toMatchObject([{ name: "下周的价格", state: "scheduled" }]);
});

task("have notices sent to Feishu", "user", 3, async (clicks, page) => {
  await clicks.command("通知", "设置我的通知");
  await clicks.button("添加通知方式");
  const dialog = page.getByRole("dialog");
  // A choice of a list is one.
  clicks.count += 1;
  await dialog.getByRole("combobox").first().click();
  await page.getByRole("option", { name: /飞书/ }).click();
  await dialog
    .getByLabel(/地址|Webhook/)
    .first()
    .fill("https://open.feishu.cn/open-apis/bot/v2/hook/0123456789");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const { data } = (await stage.carol.api("GET", "/api/user/notice/way")).body;
  expect(data).toMatchObject([{ kind: "feishu" }]);
});

task("change the own password", "user", 2, async (clicks, page) => {
  await clicks.command("修改密码", "修改密码");
  await fieldOf(page, "密码").fill("password-2");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/setting");
  await stage.server.signIn("carol", "password-2");
});
