import axe from "axe-core";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListStage, startListStage } from "./list-stage";
import { actOnRow } from "./visitor";

let stage: ListStage;

beforeAll(async () => {
  stage = await startListStage();
});
afterAll(() => stage?.close());

const pages = () => stage.page.getByRole("navigation", { name: "分页" });
const turnTo = (page: number) =>
  pages()
    .getByRole("button", { name: `第 ${page} 页` })
    .click();
const current = () => pages().locator("[aria-current=page]").textContent();
const firstCell = () => stage.page.getByRole("row").nth(1).getByRole("cell").first();
const search = () => new URL(stage.page.url()).search;

/** Makes the world hold so many channels. */
const setChannels = (count: number) => {
  const [model] = stage.double.world.channels;
  if (!model) throw new Error("no channel");
  stage.double.world.channels = Array.from({ length: count }, (_, index) => ({
    ...model,
    id: index + 1,
    status: 1,
    name: `线路 ${index + 1}`,
    priority: index % 50,
  }));
};

describe("pages", () => {
  it("hold ten rows, and the next rows are asked for when the last page is reached", async () => {
    await stage.open("/channel");
    await expect.poll(() => stage.page.getByRole("row").count()).toBe(11);
    // The first page is the last that has arrived, and so it is looked past.
    await stage.lookedAhead();
    expect(stage.calls()).toEqual(["GET /api/channel/?p=0", "GET /api/channel/?p=1"]);
    await turnTo(2);
    await expect.poll(() => firstCell().textContent()).toBe("13");
    await pages().getByRole("button", { name: "第 3 页" }).waitFor();
    expect(stage.calls()).toEqual(["GET /api/channel/?p=2"]);
    // What has arrived is kept: going back asks for nothing.
    await pages().getByRole("button", { name: "上一页" }).click();
    await expect.poll(() => firstCell().textContent()).toBe("23");
    expect(stage.calls()).toEqual([]);
    await turnTo(3);
    await expect.poll(() => firstCell().textContent()).toBe("3");
    await expect.poll(stage.calls).toEqual(["GET /api/channel/?p=3"]);
    expect(await pages().getByRole("button", { name: "下一页" }).isDisabled()).toBe(true);
  });

  it("T2: of a server that sends one row at a time, or three, are whole", async () => {
    for (const rowsPerPage of [1, 3]) {
      stage.double.dialect.rowsPerPage = rowsPerPage;
      await stage.open("/channel");
      const seen: (string | null)[] = [];
      for (const page of [1, 2, 3]) {
        await expect.poll(() => stage.page.getByRole("row").count()).toBe(page < 3 ? 11 : 4);
        seen.push(...(await stage.page.locator("tbody tr td:first-child").allTextContents()));
        if (page < 3) await turnTo(page + 1);
      }
      expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => String(23 - index)));
    }
    stage.double.dialect.rowsPerPage = 10;
  });

  it("T10: are not offered in vain: exactly ten rows are one page", async () => {
    const kept = stage.double.world.channels;
    stage.double.world.channels = kept.slice(0, 10);
    await stage.open("/channel");
    await expect.poll(stage.calls).toContain("GET /api/channel/?p=1");
    await expect.poll(() => stage.page.getByRole("row").count()).toBe(11);
    expect(await pages().count()).toBe(0);
    expect(await stage.page.getByRole("status").count()).toBe(0);
    stage.double.world.channels = kept;
  });

  it("T1: that do not come leave the one that has, with the reason, and are asked for again", async () => {
    await stage.open("/channel");
    await stage.lookedAhead();
    stage.double.fail("/api/channel", 502);
    await turnTo(2);
    await expect.poll(() => firstCell().textContent()).toBe("13");
    const said = stage.page.getByRole("main").getByRole("status");
    await said.getByText("后面的行加载失败：服务器返回了 HTTP 状态 502").waitFor();
    // Another try in vain, by the pager's arrow; the rows stay.
    await pages().getByRole("button", { name: "下一页" }).click();
    await said.getByText("HTTP 状态 502").waitFor();
    expect(await firstCell().textContent()).toBe("13");
    stage.double.fail("/api/channel", undefined);
    await said.getByRole("button", { name: "重试" }).click();
    await expect.poll(() => firstCell().textContent()).toBe("3");
    await expect.poll(() => said.count()).toBe(0);
  });

  it("T3: in another order show every row once, also when many more have to be read first", async () => {
    stage.double.dialect.rowsPerPage = 2;
    await stage.open("/channel?sort=name");
    const seen: (string | null)[] = [];
    for (const page of [1, 2, 3]) {
      await expect.poll(() => stage.page.getByRole("row").count()).toBe(page < 3 ? 11 : 4);
      seen.push(...(await stage.page.locator("tbody tr td:first-child").allTextContents()));
      if (page < 3) await turnTo(page + 1);
    }
    expect(new Set(seen).size).toBe(23);
    // Too many to be read by themselves: the list says what is sorted, and goes on when told to.
    stage.double.dialect.rowsPerPage = 1;
    await stage.open("/channel?sort=id");
    const said = stage.page.getByRole("main").getByRole("status");
    await said.getByText("只对已加载的 20 行排序，服务器上可能还有更多的行。").waitFor();
    expect(await firstCell().textContent()).toBe("4");
    await said.getByRole("button", { name: "继续加载" }).click();
    await expect.poll(() => firstCell().textContent()).toBe("1");
    expect(await said.count()).toBe(0);
    stage.double.dialect.rowsPerPage = 10;
  });

  it("T6: are reloaded when the search is emptied, however recently they were read", async () => {
    await stage.open("/channel");
    await stage.lookedAhead();
    const box = stage.page.getByRole("searchbox", { name: "搜索" });
    await box.fill("Claude");
    await box.press("Enter");
    await stage.row("Claude 生产").waitFor();
    stage.calls();
    await box.fill("");
    await box.press("Enter");
    await expect.poll(() => firstCell().textContent()).toBe("23");
    expect(stage.calls()[0]).toBe("GET /api/channel/?p=0");
    // The same by the button, where nothing was found.
    await stage.open("/channel?q=nothing");
    stage.calls();
    await stage.page.getByRole("main").getByRole("button", { name: "清除搜索" }).last().click();
    await expect.poll(() => firstCell().textContent()).toBe("23");
    expect(stage.calls()[0]).toBe("GET /api/channel/?p=0");
  });

  it("live in the address with search and order: back, forward and reload keep them", async () => {
    await stage.open("/channel");
    await turnTo(2);
    await expect.poll(() => firstCell().textContent()).toBe("13");
    await stage.page.getByRole("columnheader", { name: "ID" }).getByRole("button").click();
    await expect.poll(search).toBe("?sort=id");
    await turnTo(2);
    await expect.poll(search).toBe("?sort=id&page=2");
    const shown = await firstCell().textContent();
    await stage.page.reload();
    await expect.poll(current).toBe("2");
    await expect.poll(() => firstCell().textContent()).toBe(shown);
    await stage.page.goBack();
    await expect.poll(search).toBe("?sort=id");
    await stage.page.goBack();
    await expect.poll(search).toBe("?page=2");
    await expect.poll(() => firstCell().textContent()).toBe("13");
    await stage.page.goForward();
    await expect.poll(search).toBe("?sort=id");
    const box = stage.page.getByRole("searchbox", { name: "搜索" });
    await box.fill("渠道 2");
    await box.press("Enter");
    await expect.poll(search).toContain("q=");
    await stage.page.reload();
    await expect.poll(() => box.inputValue()).toBe("渠道 2");
    await stage.page.goBack();
    await expect.poll(() => box.inputValue()).toBe("");
  });

  it("are returned to as they were left, from a row's form", async () => {
    await stage.open("/channel?page=2&sort=name");
    await actOnRow(stage.page.getByRole("row").nth(1), "编辑");
    await stage.page.waitForURL("**/channel/edit/*");
    await stage.page.getByRole("button", { name: "取消" }).click();
    await stage.page.waitForURL("**/channel?page=2&sort=name");
  });

  it("show that they load, and offer another try when they cannot", async () => {
    stage.double.dialect.latencyMs = 3000;
    await stage.page.goto(`${stage.double.url}/channel`);
    await stage.page.locator("[aria-busy=true] .skeleton").first().waitFor();
    stage.double.dialect.latencyMs = 0;
    stage.double.fail("/api/channel", 500);
    await stage.open("/channel");
    await stage.page.getByText("加载失败").waitFor();
    await stage.toast("Error: internal server error, please contact the administrator!").waitFor();
    stage.double.fail("/api/channel", undefined);
    await stage.page.getByRole("button", { name: "重试" }).click();
    await stage.row("渠道 23").waitFor();
  });

  it("without rows suggest a next step", async () => {
    const kept = { ...stage.double.world };
    Object.assign(stage.double.world, { channels: [], tokens: [], redemptions: [] });
    for (const [path, action] of [
      ["/channel", "创建第一个渠道"],
      ["/token", "创建第一个令牌"],
      ["/redemption", "创建第一批兑换码"],
    ] as const) {
      await stage.open(path);
      await stage.page.getByRole("link", { name: action }).click();
      await stage.page.waitForURL(`**${path}/add`);
    }
    Object.assign(stage.double.world, kept);
    await stage.open("/token?q=nothing");
    await stage.page.getByText("没有与“nothing”匹配的内容").waitFor();
    await stage.page.getByRole("main").getByRole("button", { name: "清除搜索" }).last().click();
    await expect.poll(search).toBe("");
    await stage.row("网站后端 26").waitFor();
  });

  it("keep their head and first row in view, however low the window", async () => {
    await stage.open("/channel");
    const box = async (place: Locator) => {
      const found = await place.boundingBox();
      if (!found) throw new Error("not shown");
      return found;
    };
    const footer = stage.page.locator("section > footer");
    const first = stage.page.getByRole("row").nth(1);
    await first.waitFor();
    const { y, height } = await box(first);
    // As low as the first row ends: the footer would stand over it.
    await stage.page.setViewportSize({ width: 1440, height: Math.ceil(y + height) });
    expect((await box(footer)).y).toBeGreaterThanOrEqual(Math.floor(y + height) - 1);
    await stage.page.setViewportSize({ width: 1440, height: 900 });
    // There it stays at the lower edge.
    const { y: top, height: own } = await box(footer);
    expect(top + own).toBeLessThanOrEqual(900);
  });

  it("are used by keyboard alone", async () => {
    await stage.open("/channel");
    await stage.row("渠道 23").waitFor();
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count += 1) await stage.page.keyboard.press(key);
    };
    await stage.page.getByRole("searchbox", { name: "搜索" }).focus();
    // Past the page's buttons, the notice and the filters stands the first column's head: the box that chooses all rows.
    const isBox = () => stage.page.evaluate("document.activeElement.type === 'checkbox'");
    for (let presses = 0; presses < 12 && !(await isBox()); presses += 1) await press("Tab");
    await press("Space");
    await stage.page.getByText("已选择 10 个渠道").waitFor();
    await press("Space");
    await press("Tab");
    await press("Enter");
    await expect.poll(search).toBe("?sort=id");
    // The other sortable heads, then the first row: balance, priority, weight, test, disable, more.
    await stage.page
      .getByRole("spinbutton", { name: /^优先级/ })
      .first()
      .focus();
    await press("Tab", 4);
    const focused = () =>
      stage.page.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
      );
    expect(await focused()).toMatch(/^更多操作：/);
    // The second time the window is there at once.
    for (const time of ["first", "second"]) {
      await press("Enter");
      await stage.page.getByRole("menuitem", { name: "删除" }).waitFor();
      // The menu takes the focus after it is drawn; keys before that go to its button.
      await expect.poll(focused).not.toMatch(/^更多操作：/);
      await press("End");
      await expect.poll(focused).toBe("删除");
      await press("Enter");
      await stage.page.getByRole("alertdialog").waitFor();
      await expect.poll(focused).toBe("取消");
      await press("Escape");
      await stage.page.getByRole("alertdialog").waitFor({ state: "detached" });
      await expect
        .poll(async () => [time, await focused()])
        .toEqual([time, expect.stringMatching(/^更多操作：/)]);
    }
  });
});

describe("a thousand rows", () => {
  beforeAll(() => {
    setChannels(1000);
    stage.double.dialect.rowsPerPage = 100;
  });
  afterAll(() => {
    stage.double.dialect.rowsPerPage = 10;
  });

  const rows = () => stage.page.locator("tbody tr[aria-rowindex]");
  const openLong = async () => {
    await stage.open("/channel?size=1000");
    await rows().first().waitFor();
  };
  /** Turns the wheel over the middle of the table. */
  const scroll = async (pixels: number) => {
    await stage.page.mouse.move(700, 600);
    await stage.page.mouse.wheel(0, pixels);
  };

  it("on one page arrive as one scrolls, with few of them in the document, and the last one can be used", async () => {
    await openLong();
    await expect.poll(() => stage.page.getByRole("table").getAttribute("aria-rowcount")).toBe("-1");
    stage.calls();
    const table = stage.page.getByRole("table");
    const lastId = () => rows().last().getByRole("cell").first().textContent();
    await expect
      .poll(
        async () => {
          await scroll(20_000);
          return lastId();
        },
        { interval: 30, timeout: 120_000 },
      )
      .toBe("1");
    expect(stage.calls().filter((call) => call.startsWith("GET /api/channel/?p="))).toEqual(
      Array.from({ length: 9 }, (_, page) => `GET /api/channel/?p=${page + 2}`),
    );
    expect(await rows().count()).toBeLessThan(60);
    expect(await table.getAttribute("aria-rowcount")).toBe("1001");
    expect(await rows().last().getAttribute("aria-rowindex")).toBe("1001");
    // The head stays in view.
    await stage.page.getByRole("columnheader", { name: "名称" }).getByRole("button").click({ trial: true });
    const last = rows().last();
    await actOnRow(last, "禁用");
    await last.getByText("已禁用").waitFor();
    expect(stage.body("PUT /api/channel/")).toEqual({ id: 1, status: 2 });
  });

  it("keep the row that has the keyboard while one scrolls away from it", async () => {
    stage.double.dialect.rowsPerPage = 1000;
    await openLong();
    const priority = stage.page.getByRole("spinbutton", { name: "优先级：线路 998" });
    await priority.fill("77");
    await scroll(15_000);
    await expect.poll(() => stage.row("线路 1000").count()).toBe(0);
    expect(await priority.inputValue()).toBe("77");
    await stage.page.keyboard.press("Enter");
    await expect.poll(() => stage.body("PUT /api/channel/")).toEqual({ id: 998, priority: 77 });
  });

  it("begin at the top in another order, and where one was on the way back", async () => {
    stage.double.dialect.rowsPerPage = 1000;
    await openLong();
    const place = () => stage.page.locator("[data-rows]").evaluate((element) => element.scrollTop);
    await stage.page.locator("[data-rows]").evaluate((element) => element.scrollTo(0, 15_000));
    await expect.poll(() => stage.row("线路 1000").count()).toBe(0);
    await stage.page.getByRole("columnheader", { name: "ID" }).getByRole("button").click();
    await expect.poll(() => rows().first().getByRole("cell").first().textContent()).toBe("1");
    expect(await place()).toBe(0);
    await stage.page.goBack();
    await expect.poll(place).toBeGreaterThan(14_000);
    await expect.poll(() => stage.row("线路 1000").count()).toBe(0);
  });

  it("of a search are virtual as well, and the size of a page is chosen under the table", async () => {
    await stage.open(`/channel?q=${encodeURIComponent("线路")}`);
    await expect.poll(() => stage.page.getByRole("row").count()).toBe(11);
    expect(await current()).toBe("1");
    await stage.page.getByRole("combobox", { name: "每页行数" }).selectOption("1000");
    await expect.poll(search).toContain("size=1000");
    await expect.poll(() => stage.page.getByRole("table").getAttribute("aria-rowcount")).toBe("1001");
    expect(await rows().count()).toBeLessThan(60);
  });

  it("are cards on a phone, few of them in the document", async () => {
    stage.double.dialect.rowsPerPage = 1000;
    const page = await stage.another({ viewport: { width: 390, height: 844 } });
    await page.goto(`${stage.double.url}/channel?size=1000`);
    const cards = page.getByRole("main").locator("li[aria-posinset]");
    await cards.first().waitFor();
    expect(await cards.count()).toBeLessThan(40);
    await expect
      .poll(
        async () => {
          await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
          return cards.last().getAttribute("aria-posinset");
        },
        { interval: 50 },
      )
      .toBe("1000");
    expect(await cards.count()).toBeLessThan(40);
    await actOnRow(cards.last(), "编辑");
    await page.waitForURL("**/channel/edit/1");
    await page.context().close();
  });

  it.each([1440, 390])("break no serious rule of accessibility at %i px", async (width) => {
    stage.double.dialect.rowsPerPage = 1000;
    const page = await stage.another({ viewport: { width, height: 844 } });
    await page.goto(`${stage.double.url}/channel?size=1000`);
    await page.locator("[aria-rowindex], [aria-posinset]").first().waitFor();
    await page.evaluate(axe.source);
    const found = (await page.evaluate("axe.run().then((result) => result.violations)")) as {
      id: string;
      impact: string;
    }[];
    expect(found.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
    await page.context().close();
  });

  it("go on after a failure when asked to", async () => {
    stage.double.dialect.rowsPerPage = 30;
    await stage.open("/channel?size=50");
    await stage.row("线路 1000").waitFor();
    await stage.lookedAhead();
    stage.double.fail("/api/channel", 429);
    await turnTo(2);
    await stage.page.getByRole("status").getByText("后面的行加载失败：请求次数过多，请稍后再试！").waitFor();
    stage.double.fail("/api/channel", undefined);
    await stage.page.getByRole("button", { name: "重试" }).click();
    await stage.row("线路 915").waitFor();
  });
});
