import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, startDouble } from "@tollgate/testkit/contract-double/double";
import { addRecentUse } from "@tollgate/testkit/contract-double/recent-use";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enter, newVisit, watchCalls } from "./visitor";

const DAY_SECONDS = 86_400;
/** The visitor's clock, ahead of UTC. */
const OFFSET_SECONDS = 8 * 3600;

let browser: Browser;
let double: Double;
let page: Page;
let calls: string[];

const visit = async (at: Double, username = "root", password = "123456"): Promise<Page> => {
  const visitor = await newVisit(browser, { timezoneId: "Asia/Shanghai" });
  await enter(visitor, at.url, username, password);
  return visitor;
};

beforeAll(async () => {
  [browser, double] = await Promise.all([launchBrowser(), startDouble({ files: "dist/console" })]);
  // So many that every user has some in each week, whatever the time of day.
  addRecentUse(double.world, Math.floor(Date.now() / 1000), 3000, 100);
  page = await visit(double);
  calls = watchCalls(page);
});

beforeEach(() => {
  calls.length = 0;
});

afterAll(async () => {
  await browser?.close();
  await double?.close();
});

const tile = (name: string) =>
  page.getByRole("region", { name: "关键数字" }).getByRole("button", { name: new RegExp(`^${name}`) });
const chart = (name: string) => page.getByRole("figure", { name });
const queryOf = (call: string | undefined): Record<string, string> =>
  Object.fromEntries(new URL((call ?? "").split(" ")[1] ?? "", "http://double").searchParams);
const search = () => Object.fromEntries(new URL(page.url()).searchParams);

/** Midnight of the visitor's day, so many days ago, in unix seconds. */
const midnight = (daysAgo: number): number => {
  const now = Date.now() / 1000 + OFFSET_SECONDS;
  return now - (now % DAY_SECONDS) - OFFSET_SECONDS - daysAgo * DAY_SECONDS;
};

const usedSince = (from: number) => double.world.requests.filter(({ created_at }) => created_at >= from);

describe("the dashboard", () => {
  it("asks for the visitor's days of the last week, by model, and for the week before", async () => {
    await page.goto(`${double.url}/dashboard`);
    await chart("请求 · 模型").waitFor();
    const [main] = calls.filter((call) => call.startsWith("GET /api/usage?") && call.includes("by=model"));
    expect(queryOf(main)).toMatchObject({
      step: "day",
      by: "model",
      offset_minutes: "480",
      start_timestamp: String(midnight(6)),
    });
    const before = calls.map(queryOf).find(({ by }) => by === "none");
    expect(before?.start_timestamp).toBe(String(midnight(13)));
  });

  it("shows the sums as big numbers, and the same ones in a table for those who cannot see the chart", async () => {
    await page.goto(`${double.url}/dashboard`);
    const used = usedSince(midnight(6));
    const failed = used.filter(({ end }) => end === "failed").length;
    expect(await tile("请求").textContent()).toContain(`请求${used.length}`);
    expect(await tile("请求").textContent()).toMatch(new RegExp(`成功\\s${used.length - failed}$`));
    expect(await tile("失败").textContent()).toContain(`失败${failed}`);
    const table = page.getByRole("table", { name: "请求 · 模型" });
    expect(await table.getByRole("row").count()).toBe(8);
    const totals = await table.locator("tbody td:last-child").allTextContents();
    expect(totals.reduce((sum, text) => sum + Number(text), 0)).toBe(used.length);
    // Seen by screen readers alone until a person asks for it.
    expect((await table.locator("..").boundingBox())?.width).toBeLessThanOrEqual(1);
    await page.getByRole("button", { name: "以表格查看" }).click();
    expect((await table.boundingBox())?.width).toBeGreaterThan(300);
  });

  it("keeps range, step, metric, grouping and whose usage in the address, through a reload", async () => {
    await page.goto(`${double.url}/dashboard`);
    await page.getByText("30 天", { exact: true }).click();
    await tile("消耗额度").click();
    await page.getByRole("group", { name: "分组方式" }).getByText("渠道").click();
    await expect.poll(search).toEqual({ range: "30d", metric: "quota", by: "channel" });
    await page.reload();
    await chart("消耗额度 · 渠道").waitFor();
    expect(await page.getByRole("radio", { name: "30 天" }).isChecked()).toBe(true);
    expect(await page.getByRole("radio", { name: "按小时" }).isDisabled()).toBe(true);
    await page.getByText("我的", { exact: true }).click();
    await expect.poll(search).toEqual({ range: "30d", metric: "quota", by: "channel", scope: "own" });
    // One's own usage is not told apart by channels.
    await chart("消耗额度 · 模型").waitFor();
    expect(calls.at(-1)).toContain("/api/usage/self?");
  });

  it("takes an own range, and names the fault of an invalid one", async () => {
    await page.goto(`${double.url}/dashboard`);
    await page.getByText("自定义", { exact: true }).click();
    await page.getByRole("textbox", { name: "结束时间" }).fill("2020-01-01 00:00:00");
    await page.getByRole("button", { name: "应用" }).click();
    await page.getByText("结束时间不能早于起始时间").waitFor();
    await page.getByRole("textbox", { name: "起始时间" }).fill("2020-01-01 00:00:00");
    await page.getByRole("textbox", { name: "结束时间" }).fill("2020-01-01 11:59:59");
    await page.getByRole("button", { name: "应用" }).click();
    await page.getByText("这段时间还没有请求").waitFor();
    const query = queryOf(calls.findLast((call) => call.includes("by=model")));
    expect(Number(query.end_timestamp) - Number(query.start_timestamp)).toBe(12 * 3600 - 1);
    expect(query.step).toBe("hour");
  });

  it("leads from a ranked model to its lines in the log", async () => {
    await page.goto(`${double.url}/dashboard?range=30d`);
    const ranking = page.getByRole("region", { name: "模型排行" });
    const name = ranking.getByRole("link", { name: "gpt-4", exact: true });
    expect(await name.getAttribute("href")).toBe("/model/gpt-4");
    await name.locator("xpath=ancestor::tr").getByRole("link").last().click();
    await page.waitForURL("**/log?**");
    expect(search()).toMatchObject({ type: "2", model: "gpt-4" });
    expect(search().from).toMatch(/^\d{4}-\d\d-\d\d 00:00:00$/);
    const models = page.getByRole("region", { name: "使用明细" }).locator("tbody td:nth-child(6)");
    await expect.poll(async () => [...new Set(await models.allTextContents())]).toEqual(["gpt-4"]);
  });

  it("leads from a bar of the chart to the log of that day", async () => {
    await page.goto(`${double.url}/dashboard`);
    const plot = page.locator(".u-over");
    await plot.waitFor();
    const box = await plot.boundingBox();
    // The middle of the second of seven days.
    await plot.click({ position: { x: ((box?.width ?? 0) * 1.5) / 7, y: 100 } });
    await page.waitForURL("**/log?**");
    const day = new Date((midnight(5) + OFFSET_SECONDS) * 1000).toISOString().slice(0, 10);
    expect(search()).toMatchObject({ from: `${day} 00:00:00`, to: `${day} 23:59:59` });
  });

  it("narrows itself to a series of the chart by a click on its name", async () => {
    await page.goto(`${double.url}/dashboard?range=30d`);
    await chart("请求 · 模型").getByRole("button", { name: "gpt-4", exact: true }).click();
    await expect.poll(search).toEqual({ range: "30d", model: "gpt-4" });
    await page.getByRole("button", { name: "移除筛选 模型: gpt-4" }).waitFor();
  });

  it("narrows itself to one key and widens again", async () => {
    await page.goto(`${double.url}/dashboard?range=30d`);
    await page.getByRole("button", { name: "只看 网站后端" }).click();
    await expect.poll(search).toEqual({ range: "30d", token: "网站后端" });
    const used = usedSince(midnight(29)).filter(({ token_name }) => token_name === "网站后端").length;
    await expect.poll(() => tile("请求").textContent()).toContain(`请求${used}`);
    await page.getByRole("button", { name: "移除筛选 令牌: 网站后端" }).click();
    await expect.poll(search).toEqual({ range: "30d" });
  });

  it("tells six apart, a hundred when asked, and adds the others up", async () => {
    const many = await startDouble({ files: "dist/console" });
    const now = Math.floor(Date.now() / 1000);
    addRecentUse(many.world, now, 1, 1);
    const [one] = many.world.requests.splice(0);
    for (let i = 1; i <= 130; i += 1) {
      // The i-th is used i times: which ones are the largest is no chance.
      for (let time = 0; time < i; time += 1) {
        many.world.requests.push({
          ...one!,
          end: "complete",
          model_name: `model-${i}`,
          created_at: now - 3600 - time,
        });
      }
    }
    const visitor = await visit(many);
    await visitor.goto(`${many.url}/dashboard?range=30d`);
    const ranking = visitor.getByRole("region", { name: "模型排行" });
    const rows = ranking.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(6);
    expect(await rows.first().textContent()).toContain("model-130");
    await ranking.getByRole("button", { name: "显示前 100 个，共 130 个" }).click();
    await expect.poll(() => rows.count()).toBe(101);
    // The thirty smallest: 1 + 2 + … + 30.
    expect(await rows.last().textContent()).toContain("其余 30 个465");
    await ranking.getByRole("button", { name: "收起" }).click();
    await expect.poll(() => rows.count()).toBe(6);
    await visitor.context().close();
    await many.close();
  });

  it("shows ordinary users their own usage, without channels and other users", async () => {
    const alice = await visit(double, "alice", "12345678");
    const made = watchCalls(alice);
    await alice.goto(`${double.url}/dashboard?by=user`);
    await alice.getByRole("figure", { name: "请求 · 模型" }).waitFor();
    expect(await alice.getByRole("region", { name: /排行$/ }).count()).toBe(2);
    expect(await alice.getByText("全站").count()).toBe(0);
    const usage = made.filter((call) => call.includes("/api/usage"));
    expect(usage.length).toBeGreaterThan(0);
    expect(usage.filter((call) => !call.startsWith("GET /api/usage/self?"))).toEqual([]);
    await alice.context().close();
  });

  it("suggests a next step when there is no usage yet", async () => {
    const empty = await startDouble({ files: "dist/console" });
    const visitor = await visit(empty);
    await visitor.goto(`${empty.url}/dashboard`);
    await visitor.getByText("这段时间还没有请求").waitFor();
    expect(await visitor.locator("pre").textContent()).toContain(`curl ${empty.url}/v1/chat/completions`);
    await visitor.getByRole("link", { name: "创建令牌" }).click();
    await visitor.waitForURL("**/token/add");
    await visitor.context().close();
    await empty.close();
  });

  it("explains itself where the server has no sums, with the menu and everything else at work", async () => {
    const other = await startDouble({ files: "dist/console", hasUsage: false });
    const visitor = await visit(other);
    await visitor.goto(`${other.url}/dashboard`);
    await visitor.getByText("这个服务器不提供用量汇总").waitFor();
    expect(await visitor.getByRole("region", { name: "通知" }).getByRole("article").count()).toBe(0);
    await visitor.getByRole("link", { name: "查看日志" }).click();
    await visitor.getByRole("heading", { name: "使用明细" }).waitFor();
    expect(await visitor.getByRole("link", { name: /回执/ }).count()).toBe(0);
    await visitor.context().close();
    await other.close();
  });

  it("says that it failed, and tries again", async () => {
    double.fail("/api/usage", 500);
    await page.goto(`${double.url}/dashboard`);
    await page.getByText("加载失败").first().waitFor();
    double.fail("/api/usage", undefined);
    await page.getByRole("button", { name: "重试" }).click();
    await chart("请求 · 模型").waitFor();
  });

  it("draws with the colours of the theme, and redraws when it changes", async () => {
    await page.goto(`${double.url}/dashboard?by=none&metric=quota`);
    await page.locator("canvas").waitFor();
    /** The colours of the first bar that there is, from the bottom of the plot: a day may have none. */
    const barColor = () =>
      page.evaluate(`(() => {
        const canvas = document.querySelector("canvas");
        const plot = document.querySelector(".u-over");
        const ratio = canvas.width / canvas.clientWidth;
        const y = (plot.offsetTop + plot.offsetHeight - 4) * ratio;
        for (let bar = 0; bar < 7; bar += 1) {
          const x = (plot.offsetLeft + (plot.offsetWidth * (2 * bar + 1)) / 14) * ratio;
          const [red, green, blue, alpha] = canvas.getContext("2d").getImageData(x, y, 1, 1).data;
          if (alpha === 255) return [red, green, blue];
        }
        return undefined;
      })()`);
    const expected = (name: string) =>
      page.evaluate(`(() => {
        const hex = getComputedStyle(document.documentElement).getPropertyValue("${name}").trim();
        return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      })()`);
    const light = await expected("--chart-1");
    await expect.poll(barColor).toEqual(light);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => expected("--chart-1")).not.toEqual(light);
    const dark = await expected("--chart-1");
    await expect.poll(barColor).toEqual(dark);
    await page.emulateMedia({ colorScheme: "light" });
  });
});

describe("the chart over the log", () => {
  it("stays folded until the user opens it, then is remembered, and follows the filter", async () => {
    const visitor = await visit(double);
    const made = watchCalls(visitor);
    const summed = () => made.filter((call) => call.includes("/api/usage"));
    await visitor.goto(`${double.url}/log?model=gpt-4`);
    await visitor.getByRole("button", { name: "显示图表" }).waitFor();
    expect(summed()).toEqual([]);
    await visitor.getByRole("button", { name: "显示图表" }).click();
    await visitor.getByRole("figure", { name: "用量走势" }).waitFor();
    expect(queryOf(summed()[0])).toMatchObject({ by: "none", model_name: "gpt-4", offset_minutes: "480" });
    // The total is still only added up on demand.
    expect(made.filter((call) => call.includes("/stat?"))).toEqual([]);
    await visitor.reload();
    await visitor.getByRole("figure", { name: "用量走势" }).waitFor();
    await visitor.goto(`${double.url}/log?type=1`);
    await visitor.getByRole("heading", { name: "使用明细" }).waitFor();
    expect(await visitor.getByRole("button", { name: "收起图表" }).count()).toBe(0);
    await visitor.context().close();
  });
});

it("leaves the drawing library out of every page without a chart", async () => {
  const visitor = await visit(double);
  const files: string[] = [];
  visitor.on("request", (request) => files.push(new URL(request.url()).pathname));
  const drawing = () => files.filter((file) => file.includes("time-plot"));
  await visitor.goto(`${double.url}/token`);
  await visitor.getByRole("cell").first().waitFor();
  await visitor.goto(`${double.url}/log`);
  await visitor.getByRole("cell").first().waitFor();
  expect(drawing()).toEqual([]);
  await visitor.goto(`${double.url}/dashboard`);
  await visitor.locator("canvas").waitFor();
  expect(drawing().length).toBeGreaterThan(0);
  await visitor.context().close();
});
