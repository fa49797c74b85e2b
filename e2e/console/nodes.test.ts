import { launchBrowser } from "@tollgate/testkit/browser";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DoublePage, openDoublePage } from "./double-page";

let browser: Browser;
let stage: DoublePage;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
afterEach(() => stage?.close());

/** Opens the page of the nodes for root, whose time only goes on when it is told to. */
const open = async (width = 1440): Promise<DoublePage> => {
  const opened = await openDoublePage(browser, "root", {}, { viewport: { width, height: 900 } });
  await opened.page.clock.install();
  await opened.go("/node");
  await opened.page.getByText("node-1", { exact: true }).waitFor();
  return opened;
};

const asked = () => stage.callsOf("GET /api/node").length;

/** Shows or hides the page as a browser does when another tab is chosen. */
const setVisible = (isVisible: boolean) =>
  stage.page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "${isVisible ? "visible" : "hidden"}" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));`);

describe("the page of the nodes", () => {
  it("is reached from the menu of root, and shows who answers", async () => {
    stage = await open();
    await stage.go("/about");
    await stage.page.getByRole("link", { name: "设置", exact: true }).click();
    await stage.page.getByRole("link", { name: "节点" }).click();
    await stage.page.waitForURL("**/node");
    const row = stage.page.getByRole("row").filter({ hasText: "当前节点" });
    await row.waitFor();
    expect(await row.textContent()).toContain("node-1");
  });

  it("asks again every few seconds, and redraws only changed values", async () => {
    stage = await open();
    const row = await stage.page.getByRole("row").nth(1).elementHandle();
    const [first] = stage.double.world.nodes;
    if (first) first.recent_requests = 1000;
    await stage.page.clock.runFor(5100);
    await stage.page.getByText("100/s").first().waitFor();
    expect(asked()).toBe(2);
    expect(await row?.evaluate((each) => each.isConnected)).toBe(true);
    expect(await stage.page.locator("[aria-busy=true], .skeleton").count()).toBe(0);
  });

  it("sends no request while hidden, and one immediately when visible again", async () => {
    stage = await open();
    await setVisible(false);
    await stage.page.clock.runFor(30_000);
    expect(asked()).toBe(1);
    await setVisible(true);
    await expect.poll(asked).toBe(2);
  });

  it("goes on where a node stopped answering, and says meanwhile that it is not up to date", async () => {
    stage = await open();
    stage.double.fail("/api/node", "hang-up");
    await stage.page.clock.runFor(5100);
    await stage.page.getByText(/^无法更新，显示的是/).waitFor();
    expect(await stage.page.getByRole("row").count()).toBe(4);
    stage.double.fail("/api/node", undefined);
    await stage.page.clock.runFor(5100);
    await stage.page.getByText(/^无法更新，显示的是/).waitFor({ state: "detached" });
    expect(await stage.page.getByRole("region", { name: "通知" }).getByRole("article").count()).toBe(0);
  });

  it("is sorted by the keyboard", async () => {
    stage = await open();
    await stage.page.getByRole("button", { name: "内存" }).focus();
    await stage.page.keyboard.press("Enter");
    await stage.page.keyboard.press("Enter");
    await stage.page.waitForURL("**/node?sort=-memory");
    expect(await stage.page.getByRole("row").nth(1).textContent()).toContain("node-3");
  });

  it("fits a narrow screen as cards, with all that a row has", async () => {
    stage = await open(360);
    expect(await stage.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    const cards = stage.page.getByRole("region", { name: "节点" }).getByRole("listitem");
    expect(await cards.count()).toBe(3);
    for (const label of [
      "版本",
      "启动时间",
      "请求",
      "租用额度",
      "同步延迟",
      "数据库连接",
      "Redis 连接",
      "内存",
    ])
      expect(await cards.first().getByText(label, { exact: true }).count()).toBe(1);
  });
});
