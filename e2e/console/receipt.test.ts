import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, startDouble } from "@tollgate/testkit/contract-double/double";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, newVisit, watchCalls } from "./visitor";

let browser: Browser;
let double: Double;
let page: Page;

beforeAll(async () => {
  [browser, double] = await Promise.all([launchBrowser(), startDouble({ files: "dist/console" })]);
  page = await newVisit(browser, { timezoneId: "Asia/Shanghai" });
  await enter(page, double.url);
});

afterAll(async () => {
  await browser?.close();
  await double?.close();
});

const section = (name: string, at = page) => at.getByRole("region", { name });

describe("the receipt", () => {
  it("opens from a line of the log, and says where the request went and why it cost that", async () => {
    await page.goto(`${double.url}/log`);
    await page.getByRole("link", { name: "查看请求 request-60 的回执" }).click();
    const panel = page.getByRole("complementary", { name: "请求回执" });
    await panel.getByText("request-60").waitFor();
    // The panel leaves the list usable; the keyboard enters and leaves it like a window.
    await panel.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    const line = page.getByRole("link", { name: "查看请求 request-60 的回执" });
    await line.and(page.locator(":focus")).waitFor();
    await line.click();
    expect(new URL(page.url()).pathname).toBe("/log");
    await panel.getByRole("link", { name: "打开完整回执" }).click();
    await page.waitForURL("**/log/receipt/request-60");
    const record = double.world.requests.find(({ request_id }) => request_id === "request-60");
    const attempts = section("这个请求去了哪里").getByRole("listitem");
    await expect.poll(() => attempts.count()).toBe(2);
    expect(await attempts.first().textContent()).toContain(
      `第 1 次渠道 #${record?.attempts[0]?.channel} ${record?.attempts[0]?.channel_name}上游限流HTTP 429`,
    );
    expect(await attempts.first().textContent()).toContain("开始于 2 ms，历时 120 ms。");
    expect(await attempts.last().textContent()).toContain("成功HTTP 200");
    const cost = await section("为什么是这个价格").textContent();
    expect(cost).toContain("按第 3 版价格计算");
    expect(cost).toContain(record?.formula);
    expect(cost).toContain(`输入${record?.prompt_tokens}上游报告`);
    expect(cost).toContain(`其中读取缓存${record?.cache_read_tokens}`);
    expect(await section("概要").textContent()).toContain("完整返回");
  });

  it("tells the owner the same without naming a channel", async () => {
    const owned = double.world.requests.find(({ user_id, attempts }) => user_id === 3 && attempts.length > 1);
    const owner = await newVisit(browser);
    await enter(owner, double.url, "alice", "12345678");
    const calls = watchCalls(owner);
    await owner.goto(`${double.url}/log/receipt/${owned?.request_id}`);
    const where = section("这个请求去了哪里", owner);
    await where.waitFor();
    expect(await where.getByRole("listitem").count()).toBe(2);
    expect(await where.textContent()).not.toContain("渠道");
    expect(calls.filter((call) => call.includes("receipt"))).toEqual([
      `GET /api/log/self/receipt?request_id=${owned?.request_id}`,
    ]);
    await owner.context().close();
  });

  it("explains a request that no upstream answered", async () => {
    await page.goto(`${double.url}/log/receipt/request-failed`);
    await section("概要").waitFor();
    expect(await section("概要").textContent()).toContain("没有任何上游给出应答，不计费。");
    const where = await section("这个请求去了哪里").textContent();
    expect(where).toContain("上游过载或内部错误HTTP 503");
    expect(where).toContain("上游密钥失效HTTP 401");
    expect(await section("为什么是这个价格").textContent()).toContain("失败的请求不收费");
  });

  it("says when there is none, and finds another one by its id", async () => {
    await page.goto(`${double.url}/log/receipt/nothing`);
    await page.getByText("没有这份回执").waitFor();
    await page.getByLabel("请求 ID").fill("  request-1 ");
    await page.getByRole("button", { name: "打开" }).click();
    await page.waitForURL("**/log/receipt/request-1");
    await section("概要").waitFor();
  });

  it("says the same where the server gives no receipts at all", async () => {
    const other = await startDouble({ files: "dist/console", hasUsage: false });
    const visitor = await newVisit(browser);
    await enter(visitor, other.url);
    await visitor.goto(`${other.url}/log/receipt/request-1`);
    await visitor.getByText("没有这份回执").waitFor();
    await visitor.context().close();
    await other.close();
  });
});
