import { launchBrowser } from "@tollgate/testkit/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DoublePage, openDoublePage } from "./double-page";

let browser: Browser;
let at: DoublePage;

beforeAll(async () => {
  browser = await launchBrowser();
  at = await openDoublePage(browser, "alice");
  await at.go("/topup");
});

afterAll(async () => {
  await at?.close();
  await browser?.close();
});

/** The first code that was not used yet; worth 100,000 points. */
const CODE = "1".padStart(32, "0");
const USED_CODE = "2".padStart(32, "0");

const press = (name: string) => at.page.getByRole("button", { name, exact: true }).click();
const redeem = async (code: string): Promise<void> => {
  await at.page.getByLabel("兑换码").fill(code);
  await press("兑换");
};
const remaining = () =>
  at.page.locator("dl").filter({ hasText: "剩余额度" }).getByText(/^\$/).first().textContent();

describe("top-up", () => {
  it("shows the remaining quota of GET /api/user/self in dollars with two decimals", async () => {
    await at.page.getByText("$7.50", { exact: true }).waitFor();
    expect(at.callsOf("GET /api/user/self")).not.toEqual([]);
  });

  it("warns about an empty code, and sends no request", async () => {
    await redeem("  ");
    await at.toast("请输入充值码！");
    expect(at.callsOf("POST ")).toEqual([]);
  });

  it("says that there is no link, or opens the configured one in a tab of its own", async () => {
    await press("获取兑换码");
    await at.toast("超级管理员未设置充值链接！");
    at.double.world.status.top_up_link = `${at.double.url}/about?shop`;
    await at.page.reload();
    const opened = at.page.waitForEvent("popup");
    await press("获取兑换码");
    const tab = await opened;
    await tab.waitForURL("**/about?shop");
    expect(at.page.url()).toContain("/topup");
    await tab.close();
  });

  it("sends the code to POST /api/user/topup, is busy meanwhile, and adds the quota of the answer", async () => {
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await at.page.route("**/api/user/topup", async (route) => {
      await gate;
      await route.continue();
    });
    await redeem(` ${CODE} `);
    const busy = at.page.getByRole("button", { name: "兑换中..." });
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    answer();
    await at.toast("操作成功完成!");
    await at.page.unroute("**/api/user/topup");
    expect(at.bodiesOf("POST /api/user/topup")).toEqual([{ key: CODE }]);
    await expect.poll(remaining).toBe("$7.70");
    expect(await at.page.getByLabel("兑换码").inputValue()).toBe("");
  });

  it("shows the server's words about a code that it refuses", async () => {
    await redeem(USED_CODE);
    await at.toast("兑换失败，该兑换码已被使用");
    expect(await remaining()).toBe("$7.70");
  });

  it("says 请求失败 when the server hangs up", async () => {
    at.double.fail("/api/user/topup", "hang-up");
    await redeem(CODE);
    await at.toast("请求失败");
    at.double.fail("/api/user/topup", undefined);
  });
});
