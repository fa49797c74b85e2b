import { cpSync, mkdtempSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, type Fault, startDouble } from "@tollgate/testkit/contract-double/double";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { actOnRow, enter, fieldOf, newVisit, rowAction, submitLogin } from "./visitor";

let double: Double;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [double, browser] = await Promise.all([startDouble({ files: "dist/console" }), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await double?.close();
});

beforeEach(async () => {
  page = await newVisit(browser);
});

afterEach(async () => {
  for (const path of ["/api/user/login", "/api/token", "/api/user/register"]) double.fail(path, undefined);
  double.dialect.latencyMs = 0;
  await page.context().close();
});

const toast = (text: string): Locator => page.getByRole("article").filter({ hasText: text });
/** Closes a message, so that its next appearance is seen: a repeated message takes the place of the earlier one. */
const dismiss = async (text: string): Promise<void> => {
  await toast(text).getByRole("button", { name: "关闭" }).click();
  await toast(text).waitFor({ state: "detached" });
};
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });

/** What each weather shows, by the error catalogue. */
const WEATHER: readonly [string, Fault, string][] = [
  ["a refusal", "refused", "服务器拒绝了这次操作"],
  ["429", 429, "Error: too many requests, please try again later!"],
  ["500", 500, "Error: internal server error, please contact the administrator!"],
  ["405", 405, "本站仅作演示之用，没有服务端！"],
  ["a body that is not JSON", "not-json", "Error: 无法识别服务器的响应"],
  ["a connection that breaks", "hang-up", "Error: Failed to fetch"],
];

describe("a form that was sent into bad weather", () => {
  it.each(WEATHER)(
    "keeps the typed text on %s, reports the failure, and can be sent again",
    async (_name, fault, text) => {
      await enter(page, double.url);
      await page.goto(`${double.url}/token/add`);
      await fieldOf(page, "名称").fill("我的笔记本");
      await fieldOf(page, "额度").fill("123456");
      double.fail("/api/token", fault);
      await button("提交").click();
      await toast(text).waitFor();
      expect(new URL(page.url()).pathname).toBe("/token/add");
      expect(await fieldOf(page, "名称").inputValue()).toBe("我的笔记本");
      expect(await fieldOf(page, "额度").inputValue()).toBe("123456");
      double.fail("/api/token", undefined);
      await button("提交").click();
      await page.waitForURL("**/token");
      // The window of a new key may stand before the list.
      const cell = page.getByRole("cell", { name: "我的笔记本", exact: true, includeHidden: true });
      await cell.first().waitFor();
    },
  );

  it("goes to the login page on 401, which says why", async () => {
    await enter(page, double.url);
    await page.goto(`${double.url}/token/add`);
    await fieldOf(page, "名称").fill("我的笔记本");
    double.fail("/api/token", 401);
    await button("提交").click();
    await page.waitForURL("**/login?expired=true");
    await page.getByText("未登录或登录已过期,请重新登录!").waitFor();
  });

  it("explains 429, 500 and 405 in the page's language, and informs only on 405", async () => {
    await page.goto(`${double.url}/login`);
    for (const [fault, sentence, region] of [
      [429, "请求次数过多，请稍后再试！", "alert"],
      [500, "服务器内部错误，请联系管理员！", "alert"],
      [405, "本站仅作演示之用，没有服务端！", "status"],
    ] as const) {
      double.fail("/api/user/login", fault);
      await submitLogin(page, "admin", "12345678");
      await page.locator(`[role=${region}]`).getByText(sentence).waitFor();
    }
  });
});

describe("a list in bad weather", () => {
  it.each(WEATHER)("on %s reports the failure, and reloads by a button", async (_name, fault, text) => {
    await enter(page, double.url);
    double.fail("/api/token", fault);
    await page.goto(`${double.url}/token`);
    await toast(text).waitFor();
    await page.getByText("加载失败").waitFor();
    double.fail("/api/token", undefined);
    await button("重试").click();
    await page.getByRole("row").nth(1).waitFor();
  });
});

describe("offline", () => {
  it("is reported immediately, keeps the typed text, and works again when the network is back", async () => {
    await page.goto(`${double.url}/login`);
    await page.getByLabel("用户名").waitFor();
    await page.context().setOffline(true);
    await submitLogin(page, "admin", "12345678");
    await toast("Error: Failed to fetch").waitFor();
    expect(await page.getByLabel("用户名").inputValue()).toBe("admin");
    await page.context().setOffline(false);
    await button("登录").click();
    await page.waitForURL("**/token");
  });

  it("does not leave the console for a page whose code is not here, and opens it when the network is back", async () => {
    await enter(page, double.url);
    await page.goto(`${double.url}/about`);
    await page.locator("h1").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "充值" }).click();
    await page.getByText("这个页面没能打开").last().waitFor();
    await page.getByText("页面代码没有取到").waitFor();
    await button("重新加载").click();
    await toast("无法正常连接至服务器！").waitFor();
    await page.context().setOffline(false);
    await button("重新加载").click();
    await page.getByRole("heading", { name: "充值", exact: true }).waitFor();
  });

  it("keeps the page and the typed text when a window's code is missing, and opens it when the network is back", async () => {
    Object.assign(double.world.status, { wechat_login: true, wechat_qrcode: "/logo.png" });
    await page.goto(`${double.url}/login`);
    await page.getByLabel("用户名").fill("typed");
    await button("使用微信登录").waitFor();
    await page.context().setOffline(true);
    await button("使用微信登录").click();
    await toast("页面代码没有取到").waitFor();
    expect(await page.getByLabel("用户名").inputValue()).toBe("typed");
    await page.context().setOffline(false);
    await button("使用微信登录").click();
    await page.getByRole("dialog", { name: "使用微信登录" }).waitFor();
    double.world.status.wechat_login = false;
  });

  it("keeps a form when its calendar's or its question's code is not here, and a list when its question's is not", async () => {
    await enter(page, double.url);
    await page.goto(`${double.url}/token/add`);
    await fieldOf(page, "名称").fill("typed");
    await page.context().setOffline(true);
    await button("选择过期时间").click();
    await toast("页面代码没有取到").waitFor();
    await dismiss("页面代码没有取到");
    expect(await fieldOf(page, "名称").inputValue()).toBe("typed");
    await page.context().setOffline(false);
    await button("选择过期时间").click();
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("Escape");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "关于" }).click();
    await toast("页面代码没有取到").waitFor();
    expect(await fieldOf(page, "名称").inputValue()).toBe("typed");
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "关于" }).click();
    await page.getByRole("alertdialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(await fieldOf(page, "名称").inputValue()).toBe("typed");
    await page.goto(`${double.url}/token`);
    const row = page.getByRole("row").nth(1);
    const more = row.getByRole("button", { name: /^更多操作/ });
    await more.waitFor();
    await page.context().setOffline(true);
    await more.click();
    await toast("页面代码没有取到").waitFor();
    await dismiss("页面代码没有取到");
    await page.context().setOffline(false);
    const remove = await rowAction(row, "删除");
    // The menu's code has loaded.
    await remove.waitFor();
    await page.context().setOffline(true);
    await remove.click();
    await toast("页面代码没有取到").waitFor();
    await page.context().setOffline(false);
    await actOnRow(row, "删除");
    await page.getByRole("alertdialog").waitFor();
  });
});

describe("a slow server", () => {
  it("is waited for with a busy button that cannot send twice, and a list that shows where its rows will stand", async () => {
    double.dialect.latencyMs = 700;
    await page.goto(`${double.url}/login`);
    await submitLogin(page, "admin", "12345678");
    const busy = page.locator("button[aria-busy=true]");
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/token");
    expect(double.calls.filter((call) => call === "POST /api/user/login")).toHaveLength(1);
    await page.locator(".skeleton").first().waitFor();
    await page.getByText("还没有令牌").waitFor();
  });

  beforeEach(() => {
    double.calls.length = 0;
  });
});

describe("a new deployment", () => {
  /** A server whose files can be taken away. */
  let host: Double;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-deployed-"));
    cpSync("dist/console", folder, { recursive: true });
    host = await startDouble({ files: folder });
  });
  afterAll(async () => {
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Takes the files of a chunk away; the server answers for them as for any unknown path. */
  const remove = (name: string): void => {
    for (const file of readdirSync(join(folder, "assets"))) {
      if (file.startsWith(`${name}-`)) unlinkSync(join(folder, "assets", file));
    }
  };

  it("that removed a page's code makes the console load the page again", async () => {
    await enter(page, host.url);
    await page.goto(`${host.url}/about`);
    await page.locator("h1").waitFor();
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    // Gone for the old page, there for the new one.
    await page.route("**/assets/topup-page-*.js", (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole("link", { name: "充值" }).click();
    await page.getByRole("heading", { name: "充值", exact: true }).waitFor();
    expect(loads).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/topup");
  });

  it("that lost a page's code for good ends in an explanation, not in loading for ever", async () => {
    remove("topup-page");
    await enter(page, host.url);
    await page.goto(`${host.url}/about`);
    await page.locator("h1").waitFor();
    await page.getByRole("link", { name: "充值" }).click();
    await page.getByText("页面代码没有取到").waitFor();
    await button("返回上一页").click();
    await page.waitForURL("**/about");
    await page.getByRole("heading", { name: "关于" }).waitFor();
  });
});

describe("our own gateway in bad weather", () => {
  it("answers calls beyond its limit with 429, which the console explains", async () => {
    const server: ServerProcess = await startServer({ env: { CRITICAL_RATE_LIMIT: "1" } });
    await page.goto(`${server.url}/login`);
    await submitLogin(page, "root", "wrong-1");
    await toast("用户名或密码错误").waitFor();
    await submitLogin(page, "root", "wrong-2");
    await toast("Error: too many requests, please try again later!").waitFor();
    expect(await page.getByLabel("用户名").inputValue()).toBe("root");
    await server.stop();
  });
});
