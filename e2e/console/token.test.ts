import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListStage, startListStage } from "./list-stage";
import { actOnRow, closeConnect, rowAction } from "./visitor";

let stage: ListStage;

beforeAll(async () => {
  stage = await startListStage();
});
afterAll(() => stage?.close());

const tokenOf = (id: number) => {
  const found = stage.double.world.tokens.find((token) => token.id === id);
  if (!found) throw new Error(`no token ${id}`);
  return found;
};

const field = (label: string) => stage.page.getByRole("textbox", { name: label, exact: true });
const quota = () => stage.page.getByRole("spinbutton", { name: "额度" });
const button = (name: string) => stage.page.getByRole("button", { name, exact: true });
const clipboard = (page: Page) => page.evaluate("navigator.clipboard.readText()");

/** The key of token 26, the newest, as a program presents it. */
const KEY = `sk-k${"26".padStart(47, "0")}`;

describe("the token list", () => {
  it("reads page 0, searches by name, and sorts by everything but the actions", async () => {
    await stage.open("/token");
    await stage.row("网站后端 26").waitFor();
    await stage.lookedAhead();
    expect(stage.calls()).toEqual(["GET /api/token/?p=0", "GET /api/token/?p=1"]);
    const box = stage.page.getByRole("searchbox", { name: "搜索" });
    expect(await box.getAttribute("placeholder")).toBe("搜索令牌的名称");
    const heads = stage.page.getByRole("columnheader");
    expect(await heads.allTextContents()).toEqual([
      "名称",
      "状态",
      "已用额度",
      "剩余额度",
      "创建时间",
      "过期时间",
      "操作",
    ]);
    expect(await heads.getByRole("button").count()).toBe(6);
    await box.fill("本地开发");
    await box.press("Enter");
    await stage.row("本地开发 8").waitFor();
    expect(stage.calls()).toEqual([`GET /api/token/search?keyword=${encodeURIComponent("本地开发")}`]);
  });

  it("shows quota in dollars with two decimals, times to the second, unlimited and never in words", async () => {
    await stage.open("/token");
    const cells = stage.row("网站后端 26").getByRole("cell");
    // 625 × 91,000 and 25 × 612,000 points at 500,000 a dollar.
    expect(await cells.nth(2).textContent()).toBe("$113.75");
    expect(await cells.nth(3).textContent()).toBe("$30.60");
    expect(await cells.nth(4).textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await cells.nth(5).textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await stage.row("网站后端 21").getByText("无限制").waitFor();
    await stage.row("Android 客户端 25").getByText("永不过期").waitFor();
  });

  it("counts points with k, M and B where the site shows no currency", async () => {
    stage.double.world.status.display_in_currency = false;
    const token = tokenOf(26);
    const shown: (string | null)[] = [];
    for (const used of [9999, 10_000, 1_000_000, 1_000_000_000]) {
      token.used_quota = used;
      await stage.open("/token");
      shown.push(await stage.row("网站后端 26").getByRole("cell").nth(2).textContent());
    }
    stage.double.world.status.display_in_currency = true;
    expect(shown).toEqual(["9999", "10.0k", "1.0M", "1.0B"]);
  });

  it("names the four states", async () => {
    await stage.open("/token?size=50");
    for (const [name, state] of [
      ["网站后端 26", "已启用"],
      ["translation-service 22", "已禁用"],
      ["本地开发 23", "已过期"],
      ["数据标注批处理 24", "已耗尽"],
    ] as const) {
      await stage.row(name).getByText(state, { exact: true }).waitFor();
    }
  });

  it("toggles between enabled and disabled with the status alone", async () => {
    await stage.open("/token");
    const row = stage.row("网站后端 26");
    await actOnRow(row, "禁用");
    await row.getByText("已禁用").waitFor();
    await stage.toast("操作成功完成!").waitFor();
    expect(stage.body("PUT /api/token/?status_only=true")).toEqual({ id: 26, status: 2 });
    await actOnRow(row, "启用");
    await row.getByText("已启用").waitFor();
    expect(stage.body("PUT /api/token/?status_only=true")).toEqual({ id: 26, status: 1 });
  });

  it("adopts the status that the server answers, and shows why it refused", async () => {
    // An expired token is only ever asked to become enabled.
    await stage.open("/token");
    const row = stage.row("本地开发 23");
    Object.assign(tokenOf(23), { expired_time: 1_700_000_000 });
    await actOnRow(row, "启用");
    await stage.toast("令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期").waitFor();
    expect(stage.body("PUT /api/token/?status_only=true")).toEqual({ id: 23, status: 1 });
    await row.getByText("已过期").waitFor();
  });

  it("asks before it deletes, and takes the row away", async () => {
    await stage.open("/token?q=Android");
    stage.calls();
    await actOnRow(stage.row("Android 客户端 25"), "删除");
    const question = stage.page.getByRole("alertdialog");
    await question.getByText("删除令牌“Android 客户端 25”？").waitFor();
    expect(stage.calls()).toEqual([]);
    await question.getByRole("button", { name: "删除令牌 Android 客户端 25" }).click();
    // The row is out of reach as long as the question stands before it.
    await question.waitFor({ state: "detached" });
    await stage.row("Android 客户端 25").waitFor({ state: "detached" });
    expect(stage.calls()).toEqual(["DELETE /api/token/25/"]);
  });

  it("shows its second page from prefetched rows, and fetches the third meanwhile", async () => {
    await stage.open("/token");
    await stage.row("网站后端 26").waitFor();
    await stage.lookedAhead();
    stage.calls();
    await stage.page.getByRole("button", { name: "第 2 页" }).click();
    await stage.row("Android 客户端 15").waitFor();
    await stage.page.getByRole("button", { name: "第 3 页" }).waitFor();
    expect(stage.calls()).toEqual(["GET /api/token/?p=2"]);
  });

  it("leads to the forms, and refreshes", async () => {
    await stage.open("/token");
    tokenOf(20).name = "新名字";
    await stage.page.getByRole("button", { name: "刷新", exact: true }).click();
    await stage.row("新名字").waitFor();
    await actOnRow(stage.row("新名字"), "编辑");
    await stage.page.waitForURL("**/token/edit/20");
    await stage.page.goBack();
    await stage.page.getByRole("link", { name: "添加新的令牌" }).click();
    await stage.page.waitForURL("**/token/add");
  });
});

describe("a token's key", () => {
  beforeAll(() => {
    Object.assign(stage.double.world.status, {
      chat_link: "https://chat.example.com/",
      server_address: "https://gate.example.com/",
    });
  });

  const SERVER = encodeURIComponent("https://gate.example.com");
  const NEXT = `https://chat.example.com/#/?settings={"key":"${KEY}","url":"https://gate.example.com"}`;
  const AMA = `ama://set-api-key?server=${SERVER}&key=${KEY}`;
  const OPENCAT = `opencat://team/join?domain=${SERVER}&token=${KEY}`;

  it("is copied plain, or as the link of a client", async () => {
    await stage.open("/token");
    const row = stage.row("网站后端 26");
    await actOnRow(row, "复制");
    await stage.toast("已复制到剪贴板！").waitFor();
    expect(await clipboard(stage.page)).toBe(KEY);
    const formats: unknown[] = [];
    for (const name of ["令牌", "ChatGPT Next Web", "AMA 问天（BotGem）", "OpenCat"]) {
      await row.getByRole("button", { name: /选择复制格式/ }).click();
      await stage.page.getByRole("menuitem", { name, exact: true }).click();
      await stage.page.getByRole("menu").waitFor({ state: "detached" });
      formats.push(await clipboard(stage.page));
    }
    expect(formats).toEqual([KEY, NEXT, AMA, OPENCAT]);
  });

  it("opens a chat client with it: the site's own, AMA or OpenCat", async () => {
    await stage.open("/token");
    await stage.page.evaluate(
      "window.opened = []; window.open = (address) => { window.opened.push(address) }",
    );
    const row = stage.row("网站后端 26");
    for (const name of ["ChatGPT Next Web", "AMA 问天（BotGem）", "OpenCat"]) {
      await actOnRow(row, name);
      await stage.page.getByRole("menu").waitFor({ state: "detached" });
    }
    expect(await stage.page.evaluate("window.opened")).toEqual([NEXT, AMA, OPENCAT]);
  });

  it("goes into the search box when the clipboard refuses, with a warning to copy by hand", async () => {
    const page = await stage.another();
    await page.addInitScript({
      content: "navigator.clipboard.writeText = () => Promise.reject(new Error('no'))",
    });
    await page.goto(`${stage.double.url}/token`);
    const row = page.getByRole("row").filter({ hasText: "网站后端 26" });
    await actOnRow(row, "复制");
    await page.getByRole("alert").getByText("无法复制到剪贴板，请手动复制。").waitFor();
    const box = page.getByRole("searchbox", { name: "搜索" });
    expect(await box.inputValue()).toBe(KEY);
    // It is shown, not searched for; a search of one's own takes its place.
    expect(page.url()).not.toContain("sk-");
    await box.fill("本地");
    await box.press("Enter");
    await page.waitForURL(/q=/);
    await page.getByRole("button", { name: "清除搜索" }).first().click();
    await expect.poll(() => box.inputValue()).toBe("");
    await page.context().close();
  });

  it("is given to no client where the site names none", async () => {
    stage.double.world.status.chat_link = "";
    await stage.open("/token");
    const chat = await rowAction(stage.row("网站后端 26"), "ChatGPT Next Web");
    expect([await chat.isDisabled(), await chat.textContent()]).toEqual([
      true,
      "ChatGPT Next Web未设置聊天链接",
    ]);
  });
});

describe("the token form", () => {
  it("begins with 500,000 quota and no expiry, and explains the quota's limit", async () => {
    await stage.open("/token/add");
    expect(await quota().inputValue()).toBe("500000");
    expect(await field("过期时间").inputValue()).toBe("");
    expect(await field("过期时间").getAttribute("placeholder")).toBe("永不过期");
    expect(await stage.page.getByRole("switch", { name: "无限额度" }).getAttribute("aria-checked")).toBe(
      "false",
    );
    await stage.page
      .getByText("注意，令牌的额度仅用于限制令牌本身的最大额度使用量，实际的使用受到账户的剩余额度限制。")
      .waitFor();
    await stage.page.getByText("等价金额：$1.00").waitFor();
  });

  it("sends name, expiry, quota and unlimited", async () => {
    await stage.open("/token/add");
    await field("名称").fill("笔记本");
    await button("提交").click();
    await stage.page.waitForURL("**/token");
    await stage.toast("操作成功完成!").waitFor();
    expect(stage.body("POST /api/token/")).toEqual({
      name: "笔记本",
      expired_time: -1,
      remain_quota: 500_000,
      unlimited_quota: false,
    });
    await closeConnect(stage.page);
    await stage.row("笔记本").waitFor();
  });

  it("needs a name and an expiry that is a date", async () => {
    await stage.open("/token/add");
    const sent = stage.double.bodies.length;
    await button("提交").click();
    await stage.page.getByText("请输入名称", { exact: true }).waitFor();
    await field("名称").fill("n");
    await field("过期时间").fill("明天");
    await button("提交").click();
    await stage.toast("过期时间格式错误！").waitFor();
    expect(await field("过期时间").getAttribute("aria-invalid")).toBe("true");
    expect(stage.double.bodies.length).toBe(sent);
    await field("过期时间").fill("2031-02-03 04:05:06");
    await button("提交").click();
    await stage.page.waitForURL("**/token");
    const seconds = await stage.page.evaluate("new Date(2031, 1, 3, 4, 5, 6).getTime() / 1000");
    expect(stage.body("POST /api/token/")).toMatchObject({ expired_time: seconds });
  });

  it("sets the expiry by a button: never, or a month, a day, an hour, a minute from now", async () => {
    await stage.open("/token/add");
    const now = new Date(2030, 0, 31, 12, 0, 0);
    await stage.page.clock.setFixedTime(now);
    const values: string[] = [];
    for (const name of ["一个月后过期", "一天后过期", "一小时后过期", "一分钟后过期", "永不过期"]) {
      await button(name).click();
      values.push(await field("过期时间").inputValue());
    }
    expect(values).toEqual([
      // February has no 31st.
      "2030-02-28 12:00:00",
      "2030-02-01 12:00:00",
      "2030-01-31 13:00:00",
      "2030-01-31 12:01:00",
      "",
    ]);
  });

  it("picks the expiry from a calendar", async () => {
    await stage.open("/token/add");
    await button("选择过期时间").click();
    const panel = stage.page.getByRole("dialog", { name: "选择过期时间" });
    await panel.getByRole("gridcell").getByRole("button").nth(14).click();
    await panel.getByRole("spinbutton", { name: "时" }).fill("9");
    await panel.getByRole("button", { name: "完成" }).click();
    await panel.waitFor({ state: "detached" });
    expect(await field("过期时间").inputValue()).toMatch(/^\d{4}-\d\d-\d\d 09:00:00$/);
  });

  it("sends whole quota, and none that is negative", async () => {
    await stage.open("/token/add");
    await field("名称").fill("额度");
    await quota().fill("-1");
    await button("提交").click();
    await stage.page.getByText("请输入不小于 0 的整数").waitFor();
    await quota().fill("12.9");
    await button("提交").click();
    await stage.page.waitForURL("**/token");
    expect(stage.body("POST /api/token/")).toMatchObject({ remain_quota: 12 });
  });

  it("switches to unlimited, where the quota no longer matters", async () => {
    await stage.open("/token/add");
    await field("名称").fill("无限");
    await stage.page.getByRole("switch", { name: "无限额度" }).click();
    expect(await quota().isDisabled()).toBe(true);
    await button("提交").click();
    await stage.page.waitForURL("**/token");
    expect(stage.body("POST /api/token/")).toMatchObject({ unlimited_quota: true });
    await stage.row("无限").first().getByText("无限制").waitFor();
  });

  it("edits a token with all its values and its id", async () => {
    await stage.open("/token/edit/26");
    await expect.poll(() => field("名称").inputValue()).toBe("网站后端 26");
    expect(stage.double.calls).toContain("GET /api/token/26");
    await field("名称").fill("改名");
    await button("永不过期").click();
    await quota().fill("77");
    await button("提交").click();
    await stage.page.waitForURL("**/token");
    expect(stage.body("PUT /api/token/")).toEqual({
      id: 26,
      name: "改名",
      expired_time: -1,
      remain_quota: 77,
      unlimited_quota: false,
    });
    await stage.row("改名").waitFor();
  });
});
