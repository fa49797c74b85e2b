import { launchBrowser } from "@tollgate/testkit/browser";
import type { Dialect } from "@tollgate/testkit/contract-double/dialect";
import { type Double, startDouble } from "@tollgate/testkit/contract-double/double";
import { TRIES_ALL } from "@tollgate/testkit/seeds";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actOnRow, closeConnect, enter, fieldOf, newVisit, rowAction, submitLogin } from "./visitor";

/** In what ways servers that speak this contract differ. */
const DIALECTS: readonly [string, Partial<Dialect>][] = [
  [
    "10 rows a page, an empty message and no sums over usage",
    { rowsPerPage: 10, successMessage: "", hasUsage: false },
  ],
  [
    "20 rows a page, no message, fields that nobody knows and the odd name of a log's id",
    {
      rowsPerPage: 20,
      successMessage: undefined,
      optionalFields: "extra",
      logId: "id;index:idx_created_at_id",
    },
  ],
  [
    "100 rows a page, nulls for numbers and a message on success",
    { rowsPerPage: 100, hasNulls: true, successMessage: "ok" },
  ],
  [
    "optional fields and log ids missing, and English messages",
    { optionalFields: "missing", logId: "absent", isEnglish: true },
  ],
];

/** Every page and its heading; neighbours differ, so that the heading tells when the next page has come. */
const PAGES = [
  ["/", /一个地址，通往所有大模型|你好/],
  ["/about", "关于"],
  ["/chat", "聊天"],
  ["/channel", "管理渠道"],
  ["/channel/add", "创建新的渠道"],
  ["/channel/edit/3", "更新渠道信息"],
  ["/token", "我的令牌"],
  ["/token/add", "创建新的令牌"],
  ["/token/edit/5", "更新令牌信息"],
  ["/redemption", "管理兑换码"],
  ["/promotion", "优惠活动"],
  ["/promotion/add", "新建优惠"],
  ["/redemption/add", "创建新的兑换码"],
  ["/redemption/edit/4", "更新兑换码信息"],
  ["/user/edit", "更新用户信息"],
  ["/user", "管理用户"],
  ["/user/edit/3", "更新用户信息"],
  ["/user/add", "创建新用户账户"],
  ["/setting?tab=operation", "设置"],
  ["/topup", "充值"],
  ["/setting?tab=system", "设置"],
  ["/dashboard", "看板"],
  ["/cockpit", "驾驶舱"],
  ["/log", "使用明细"],
  ["/node", "节点"],
  ["/log/receipt/request-3", "请求回执"],
  ["/setting?tab=other", "设置"],
  ["/nowhere", "页面不存在"],
  ["/setting", "设置"],
  ["/login", "登录"],
  ["/register", "新用户注册"],
  ["/reset", "密码重置"],
  ["/user/reset?email=a%40example.com&token=t", "密码重置确认"],
] as const;

/** Pages beyond the contract: no such server knows their calls, so they show the same with each of them. */
const PAGES_BEYOND = [
  ["/ledger", "账目"],
  ["/audit", "审计"],
  ["/statement", "账单"],
  ["/order", "全部订单"],
  ["/announcement", "公告"],
  ["/setting/announcements", "管理公告"],
  ["/setting/announcements/add", "添加公告"],
  ["/plan", "套餐"],
  ["/plan/manage", "管理套餐"],
  ["/plan/manage/add", "创建新套餐"],
  ["/plan/subscribers", "订阅者"],
  ["/invitation", "邀请"],
  ["/invitation/manage", "佣金提现"],
  ["/invoice", "发票"],
  ["/invoice/manage", "管理发票"],
  ["/ticket", "我的工单"],
  ["/ticket/manage", "管理工单"],
  ["/playground", "试用"],
  ["/pricing", "价格"],
  ["/status", "模型状态"],
  ["/profit", "利润"],
  ["/reconciliation", "对账"],
  ["/start", "快速接入"],
  ["/channel/comparison", "上游模型对比"],
  ["/pricing/rules", "价格规则"],
  ["/setting/errors", "错误提示规则"],
  ["/setting/terms", "条款"],
  ["/setting/terms/add", "条款新版本"],
  ["/user-agreement", "用户协议"],
  ["/setting/prices", "价格"],
  ["/pricing/rehearsal", "价格预演"],
  ["/channel/buying/3", "进价"],
  ["/redemption/edit/2", "更新兑换码信息"],
] as const;

/** Pages that such a server can show nothing on, and that say so. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  "/ledger",
  "/audit",
  "/order",
  "/announcement",
  "/setting/announcements",
  "/plan",
  "/plan/manage",
  "/plan/subscribers",
  "/invitation/manage",
  "/invoice",
  "/invoice/manage",
  "/ticket",
  "/ticket/manage",
  "/profit",
  "/reconciliation",
  "/pricing/rules",
  "/pricing/rehearsal",
  "/setting/terms",
  "/setting/terms/add",
  "/user-agreement",
]);

/** The look of a value that was not formatted. */
const LEAK = /NaN|undefined|\bnull\b|Invalid Date|\[object/;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser?.close());

describe.each(DIALECTS)("a server with %s", (_name, dialect) => {
  // Where not all cases are tried, each walk through the console is made with one of the servers.
  const ofThisServer = (walk: number) => TRIES_ALL || dialect === DIALECTS[walk % DIALECTS.length]?.[1];

  let double: Double;
  let page: Page;

  beforeAll(async () => {
    double = await startDouble({ files: "dist/console", ...dialect });
    page = await newVisit(browser, { acceptDownloads: true });
    await enter(page, double.url);
  });
  afterAll(async () => {
    await page?.context().close();
    await double?.close();
  });

  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole("button", { name, exact: true });
  const said = (text: string) => page.getByRole("article").filter({ hasText: text }).first().waitFor();
  const rowOf = (text: string) => page.getByRole("row").filter({ hasText: text }).first();
  const open = async (path: string): Promise<void> => {
    await page.goto(double.url + path);
    await page.locator("h1").first().waitFor({ state: "attached" });
  };
  const confirm = (name: string) => button(name, page.getByRole("alertdialog")).click();

  it("shows every page, without an error or a bare value", async () => {
    const leaks: string[] = [];
    await open("/reset");
    for (const [path, heading] of [...PAGES, ...(ofThisServer(0) ? PAGES_BEYOND : [])]) {
      await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
      await page.locator("h1", { hasText: heading }).waitFor({ state: "attached" });
      // A place where something will be said, and nothing is yet, may stay.
      const isReady = await page
        .locator(".skeleton, main [aria-busy=true], main [role=status]:not(:empty)")
        .first()
        .waitFor({ state: "detached" })
        .then(() => true)
        .catch(() => false);
      if (!isReady) leaks.push(`${path}: loads for ever`);
      const text = await page.locator("main").textContent();
      const typed = await page
        .locator("input, textarea")
        .evaluateAll((fields) =>
          fields.map((field) => (field as unknown as { value: string }).value).join("\n"),
        );
      const leak = LEAK.exec(`${text}\n${typed}`);
      if (leak) leaks.push(`${path}: ${leak[0]}`);
      if (NOT_OFFERED.has(path) && !text?.includes("这个服务器不提供这项功能"))
        leaks.push(`${path}: does not say that it is not offered`);
      const failed = await page.locator("[role=alert] article").allTextContents();
      if (failed.length > 0) leaks.push(`${path}: ${failed.join()}`);
    }
    expect(leaks).toEqual([]);
  });

  const LISTS = [
    ["/token", 26],
    ["/channel", 23],
    ["/redemption", 14],
    ["/user", 26],
    ["/log", 64],
  ] as const;
  it.each(LISTS.filter((_, list) => ofThisServer(list)))(
    "steps through all rows of %s: %i",
    async (path, count) => {
      await open(path);
      const rows = page.locator("tbody tr");
      const next = button("下一页");
      const current = page.locator("button[aria-current=page]");
      const seen = new Set<string>();
      for (let pages = 1; pages <= 12; pages += 1) {
        await page.locator(".skeleton").first().waitFor({ state: "detached" });
        await rows.first().waitFor();
        // While the rows after the last page are on their way, the button neither leads on nor means the end.
        await page.locator("nav button[aria-busy=true]").waitFor({ state: "detached" });
        for (const text of await rows.allTextContents()) seen.add(text);
        const isEnd = async () => (await next.count()) === 0 || (await next.isDisabled());
        if (await isEnd()) {
          // What follows may be asked for only now: an end is one that stays.
          await page.waitForTimeout(500);
          if (await isEnd()) break;
          continue;
        }
        const before = await current.textContent();
        await next.click();
        // At an unexpected end the page stays, and the button is disabled.
        await expect
          .poll(async () => (await current.textContent()) !== before || (await next.isDisabled()))
          .toBe(true);
      }
      expect(seen.size).toBe(count);
    },
  );

  it.runIf(ofThisServer(0))("works for channels: add, test, disable, edit, delete", async () => {
    await open("/channel/add");
    await fieldOf(page, "名称").fill("walked");
    await button("填入基础模型").click();
    await fieldOf(page, "密钥").fill("key");
    await button("提交").click();
    await page.waitForURL("**/channel");
    const row = rowOf("walked");
    await row.waitFor();
    await actOnRow(row, "测试");
    await said("渠道 walked 测试成功");
    await actOnRow(row, "禁用");
    await said("操作成功完成!");
    // The notice may be that of the creation.
    await row.getByText("已禁用").waitFor();
    await (await rowAction(row, "启用")).waitFor();
    await actOnRow(row, "编辑");
    await fieldOf(page, "名称").fill("walked on");
    await button("提交").click();
    await page.waitForURL("**/channel");
    await rowOf("walked on").waitFor();
    await actOnRow(rowOf("walked on"), "删除");
    await confirm("删除渠道 walked on");
    await rowOf("walked on").waitFor({ state: "detached" });
  });

  it.runIf(ofThisServer(1))("works for tokens: add, disable, edit, search, delete", async () => {
    await open("/token/add");
    await fieldOf(page, "名称").fill("walked");
    await button("提交").click();
    await page.waitForURL("**/token");
    await closeConnect(page);
    await rowOf("walked").waitFor();
    await actOnRow(rowOf("walked"), "禁用");
    await (await rowAction(rowOf("walked"), "启用")).waitFor();
    await actOnRow(rowOf("walked"), "编辑");
    await fieldOf(page, "名称").fill("walked on");
    await button("提交").click();
    await page.waitForURL("**/token");
    await page.getByRole("searchbox").fill("walked");
    await page.getByRole("searchbox").press("Enter");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await actOnRow(rowOf("walked on"), "删除");
    await confirm("删除令牌 walked on");
    await rowOf("walked on").waitFor({ state: "detached" });
  });

  it.runIf(ofThisServer(2))("works for codes: make and redeem", async () => {
    await open("/redemption/add");
    await fieldOf(page, "名称").fill("walked");
    const download = page.waitForEvent("download");
    await button("提交").click();
    expect((await download).suggestedFilename()).toBe("walked.txt");
    const code = double.world.redemptions.at(-1)?.key ?? "";
    await open("/topup");
    await fieldOf(page, "兑换码").fill(code);
    await button("兑换").click();
    await expect.poll(() => fieldOf(page, "兑换码").inputValue()).toBe("");
    expect(double.world.redemptions.at(-1)?.status).toBe(3);
    await fieldOf(page, "兑换码").fill("nonsense");
    await button("兑换").click();
    await said(dialect.isEnglish ? "invalid code" : "兑换失败，无效的兑换码");
  });

  it.runIf(ofThisServer(3))("works for users: promote, disable, delete", async () => {
    await open("/user");
    await actOnRow(rowOf("user26"), "提升");
    await confirm("提升用户 user26");
    await rowOf("user26").getByText("管理员").waitFor();
    await actOnRow(rowOf("user26"), "禁用");
    await rowOf("user26").getByText("已封禁").waitFor();
    await actOnRow(rowOf("user26"), "删除");
    await confirm("删除用户 user26");
    await rowOf("user26").waitFor({ state: "detached" });
  });

  it.runIf(ofThisServer(4))("works for logs and options: total, switch, log out and in again", async () => {
    await open("/log");
    await page.getByText("点击查看").click();
    await page.getByText(/总消耗额度：\s*\$\d/).waitFor();
    await open("/setting?tab=operation");
    await page.getByRole("switch").first().click();
    await said("操作成功完成!");
    await open("/about");
    await page.getByRole("button", { name: "root" }).click();
    await page.getByRole("menuitem", { name: "退出登录" }).click();
    await page.waitForURL("**/login");
    await submitLogin(page, "root", "wrong");
    await said(
      dialect.isEnglish
        ? "wrong username or password, or the user is banned"
        : "用户名或密码错误，或用户已被封禁",
    );
    await submitLogin(page, "admin", "12345678");
    await page.waitForURL("**/token");
  });
});
