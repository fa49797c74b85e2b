import { launchBrowser } from "@tollgate/testkit/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DoublePage, openDoublePage } from "./double-page";

let browser: Browser;
/** An administrator's log. */
let all: DoublePage;
/** An ordinary user's. */
let own: DoublePage;

beforeAll(async () => {
  browser = await launchBrowser();
  const inShanghai = { timezoneId: "Asia/Shanghai", viewport: { width: 1440, height: 900 } };
  [all, own] = await Promise.all([
    openDoublePage(browser, "root", {}, inShanghai),
    openDoublePage(browser, "alice", {}, inShanghai),
  ]);
});

afterAll(async () => {
  await all?.close();
  await own?.close();
  await browser?.close();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

const queryOf = (call: string | undefined): Record<string, string> =>
  Object.fromEntries(new URL((call ?? "").split(" ")[1] ?? "", "http://double").searchParams);

const rows = (at: DoublePage) => at.page.locator("tbody tr");
const heads = async (at: DoublePage): Promise<string[]> =>
  (await at.page.locator("thead th").allTextContents()).map((text) => text.trim());
const press = (at: DoublePage, name: string) => at.page.getByRole("button", { name, exact: true }).click();

/** Opens the log and waits for its first rows. */
const open = async (at: DoublePage, search = ""): Promise<void> => {
  at.forgetCalls();
  await at.go(`/log${search}`);
  await at.page.getByRole("cell").first().getByText(/^20/).waitFor();
  // A list looks past its first page by itself.
  await at.page.waitForLoadState("networkidle");
};

const choose = async (at: DoublePage, type: string): Promise<void> => {
  await at.page.getByRole("combobox", { name: "明细分类" }).click();
  await at.page.getByRole("option", { name: type, exact: true }).click();
};

describe("the log", () => {
  it("asks GET /api/log/ for everything from the beginning until an hour from now", async () => {
    const before = nowSeconds();
    await open(all);
    const [call, ahead, ...more] = all.callsOf("GET /api/log/?");
    expect(queryOf(ahead)).toMatchObject({ p: "1" });
    expect(more).toEqual([]);
    const { end_timestamp: end, ...query } = queryOf(call);
    expect(query).toEqual({
      p: "0",
      type: "0",
      username: "",
      token_name: "",
      model_name: "",
      start_timestamp: "0",
      channel: "",
    });
    expect(Number(end)).toBeGreaterThanOrEqual(before + 3600);
    expect(Number(end)).toBeLessThanOrEqual(nowSeconds() + 3600);
  });

  it("asks GET /api/log/self/ for an ordinary user, who sees neither channels nor users", async () => {
    await open(own);
    const [call] = own.callsOf("GET /api/log/");
    expect(call).toMatch(/^GET \/api\/log\/self\/\?/);
    expect(Object.keys(queryOf(call)).sort()).toEqual([
      "end_timestamp",
      "model_name",
      "p",
      "start_timestamp",
      "token_name",
      "type",
    ]);
    expect(await heads(own)).toEqual(["时间", "令牌", "类型", "模型", "输入", "输出", "额度", "详情"]);
    expect(await own.page.getByLabel("渠道 ID").count()).toBe(0);
    expect(await own.page.getByRole("textbox", { name: "用户名" }).count()).toBe(0);
  });

  it("shows a line's time, channel, user, token, type, model, tokens, quota and detail", async () => {
    await open(all);
    expect(await heads(all)).toEqual([
      "时间",
      "渠道",
      "用户",
      "令牌",
      "类型",
      "模型",
      "输入",
      "输出",
      "额度",
      "详情",
    ]);
    const cells = (await rows(all).first().getByRole("cell").allTextContents()).map((text) => text.trim());
    expect(cells).toEqual([
      "2024-05-18 17:36:51",
      "8",
      "root",
      "网站后端",
      "消费",
      "dall-e-3",
      "939",
      "489",
      "$0.093568",
      "模型倍率 0.75，分组倍率 1.00",
    ]);
  });

  it("sends every filter with the next query, and the same ones to the total", async () => {
    await open(all);
    const { page } = all;
    await page.getByLabel("令牌名称").fill("网站后端");
    await page.getByLabel("模型名称").fill("gpt-4");
    await page.getByRole("textbox", { name: "起始时间" }).fill("2024-05-18 10:40:00");
    await page.getByRole("textbox", { name: "结束时间" }).fill("2024-05-19 00:00:00");
    await page.getByLabel("渠道 ID").fill("3");
    await page.getByLabel("用户名").fill("root");
    expect(all.callsOf("GET /api/log/?")).toHaveLength(2);
    await page.getByRole("combobox", { name: "用户名" }).press("Enter");
    const filter = {
      type: "0",
      username: "root",
      token_name: "网站后端",
      model_name: "gpt-4",
      start_timestamp: String(Date.parse("2024-05-18T02:40:00Z") / 1000),
      end_timestamp: String(Date.parse("2024-05-18T16:00:00Z") / 1000),
      channel: "3",
    };
    await expect.poll(() => queryOf(all.callsOf("GET /api/log/?")[2])).toEqual({ p: "0", ...filter });
    await page.getByRole("button", { name: "总消耗额度：点击查看" }).click();
    await expect.poll(() => queryOf(all.callsOf("GET /api/log/stat").at(-1))).toEqual(filter);
    // A line of the filter is a state of the address: the page can be sent to a person.
    expect(new URL(page.url()).searchParams.get("model")).toBe("gpt-4");
  });

  it("refuses a time that is none, and asks nothing", async () => {
    await open(all);
    await all.page.getByRole("textbox", { name: "起始时间" }).fill("2024-02-31");
    await press(all, "查询");
    await all.page.getByText("时间格式错误！").waitFor();
    expect(all.callsOf("GET /api/log/?")).toHaveLength(2);
  });

  it("adds the total up when it is clicked, for an administrator with GET /api/log/stat", async () => {
    await open(all);
    expect(all.callsOf("GET /api/log/stat")).toEqual([]);
    const total = all.double.world.logs.reduce((sum, { quota }) => sum + quota, 0);
    await all.page.getByRole("button", { name: "总消耗额度：点击查看" }).click();
    await all.page
      .getByRole("heading", { level: 1 })
      .getByText(`$${(total / 500_000).toFixed(2)}`)
      .waitFor();
    expect(all.callsOf("GET /api/log/stat")).toHaveLength(1);
  });

  it("adds an ordinary user's total up with GET /api/log/self/stat", async () => {
    await open(own);
    await own.page.getByRole("button", { name: "总消耗额度：点击查看" }).click();
    await own.page.getByRole("heading", { level: 1 }).getByText("$").waitFor();
    const [call, ...more] = own.callsOf("GET /api/log/self/stat");
    expect(more).toEqual([]);
    expect(Object.keys(queryOf(call)).sort()).toEqual([
      "end_timestamp",
      "model_name",
      "start_timestamp",
      "token_name",
      "type",
    ]);
  });

  it("sorts by each column", async () => {
    await open(all);
    const sortable = await all.page.locator("thead th").getByRole("button").allTextContents();
    expect(sortable).toEqual(await heads(all));
    const quotas = async () =>
      (await rows(all).locator("td:nth-child(9)").allTextContents())
        .filter((text) => text !== "")
        .map((text) => Number(text.slice(1)));
    // Lines that consumed nothing show no quota.
    const dollars = all.double.world.logs.map(({ quota }) => quota / 500_000);
    await press(all, "额度");
    const least = dollars.toSorted((a, b) => a - b).slice(0, 10);
    await expect.poll(quotas).toEqual(least.filter((quota) => quota > 0));
    await press(all, "额度");
    await expect.poll(quotas).toEqual(dollars.toSorted((a, b) => b - a).slice(0, 10));
  });

  it("reloads the list on 刷新, and page by page", async () => {
    await open(all);
    expect(await rows(all).count()).toBe(10);
    await press(all, "刷新");
    await expect.poll(() => all.callsOf("GET /api/log/?p=0").length).toBe(2);
    await press(all, "第 2 页");
    await expect.poll(() => all.callsOf("GET /api/log/?p=2").length).toBe(1);
    await expect.poll(() => rows(all).first().textContent()).not.toContain("17:36:51");
    expect(new URL(all.page.url()).searchParams.get("page")).toBe("2");
  });

  it("counts points with k where the site does not show money", async () => {
    all.double.world.status.display_in_currency = false;
    await open(all);
    await expect.poll(() => rows(all).first().textContent()).toContain("46.8k");
    all.double.world.status.display_in_currency = true;
  });
});

describe("the log's types", () => {
  it.each([
    ["充值", "1"],
    ["消费", "2"],
    ["管理", "3"],
    ["系统", "4"],
    ["全部", "0"],
  ])("asks for the type %s as %s", async (label, type) => {
    await open(all, type === "0" ? "?type=2" : "");
    await choose(all, label);
    await expect.poll(() => queryOf(all.callsOf("GET /api/log/?").at(-1)).type).toBe(type);
  });
});

describe("the log on a phone", () => {
  it("folds its filters, and says how many there are", async () => {
    await all.page.setViewportSize({ width: 390, height: 844 });
    await all.go("/log");
    const unfold = all.page.getByRole("button", { name: /^筛选/ });
    await unfold.waitFor();
    expect(await all.page.getByLabel("模型名称").isVisible()).toBe(false);
    await unfold.click();
    await all.page.getByLabel("模型名称").fill("gpt-4");
    await all.page.getByLabel("渠道 ID").fill("3");
    await all.page.getByRole("combobox", { name: "渠道 ID" }).press("Enter");
    await all.page.getByRole("button", { name: "筛选 (2)" }).waitFor();
    expect(await all.page.getByLabel("模型名称", { exact: true }).isVisible()).toBe(false);
    await all.page.getByRole("button", { name: "移除 模型名称: gpt-4" }).click();
    await all.page.getByRole("button", { name: "筛选 (1)" }).waitFor();
    expect(new URL(all.page.url()).search).toBe("?channel=3");
    await all.page.setViewportSize({ width: 1440, height: 900 });
  });
});

/** Gaps of more than a gutter in the rows of the filters, and rows but the last that end before the form does. */
const HOLES = `(() => {
  const form = document.querySelector("main form");
  const boxes = [...form.querySelectorAll("fieldset, input:not([type=radio]), [role=combobox], button[type=submit]")]
    .map((each) => (each.closest("form > div > *") ?? each).getBoundingClientRect())
    .concat(form.lastElementChild.getBoundingClientRect());
  const rows = new Map();
  for (const box of boxes) {
    const row = [...rows.keys()].find((top) => Math.abs(top - box.top) < 12) ?? box.top;
    rows.set(row, [...(rows.get(row) ?? []), box]);
  }
  const end = form.getBoundingClientRect().right;
  const last = Math.max(...rows.keys());
  return [...rows].flatMap(([top, row]) => {
    row.sort((a, b) => a.left - b.left);
    const gaps = row.slice(1).map((box, index) => box.left - row[index].right);
    if (top !== last) gaps.push(end - row.at(-1).right);
    return gaps.filter((gap) => gap > 24);
  });
})()`;

it.each([1440, 1920, 2560])("fills the rows of its filters at %i px", async (width) => {
  for (const at of [all, own]) {
    await at.page.setViewportSize({ width, height: 900 });
    await open(at);
    expect(await at.page.evaluate(HOLES)).toEqual([]);
  }
});
