import { launchBrowser } from "@tollgate/testkit/browser";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newVisit, submitLogin, watchCalls } from "./visitor";

const PASSWORD = "roots-own-password";

let browser: Browser;
let server: ServerProcess;
let page: Page;

const startFresh = (dataDir = createDataDir()): Promise<ServerProcess> =>
  startServer({ dataDir, env: { LOG_LEVEL: "error", ALLOW_DEFAULT_PASSWORD: "" } });

const linkOf = ({ stdout }: ServerProcess): string => /http:\S+\/setup#\w+/.exec(stdout)?.[0] ?? "no link";

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startFresh()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  page = await newVisit(browser);
});
afterEach(async () => {
  await page.context().close();
});

const heading = (name: string) => page.getByRole("heading", { name, exact: true });

/** What breaks any rule of accessibility, and whether something is wider than the window. */
const faultsOf = async (): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
  )) as string[];
  const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  return isTooWide ? [...found, "wider than the window"] : found;
};

describe("S4: the page of a set-up link that is not good", () => {
  it.each([
    ["/setup", "链接不完整"],
    ["/setup#WrongCode", "链接无效"],
  ])("%s says %s, and where the link is", async (path, title) => {
    await page.goto(server.url + path);
    await heading(title).waitFor();
    await page.getByText("docker logs").waitFor();
    expect(await page.getByLabel("新密码").count()).toBe(0);
  });

  it.each([
    ["code-expired", "链接已过期", "重启服务"],
    ["done", "设置已完成", "不再有效"],
  ])("in the state %s says %s", async (state, title, text) => {
    await page.route("**/api/setup/check", (route) =>
      route.fulfill({ json: { success: true, message: "", data: { state, username: "" } } }),
    );
    await page.goto(`${server.url}/setup#Code`);
    await heading(title).waitFor();
    await page.getByText(text).waitFor();
  });

  it("says that nothing answered, and asks again when it is told to", async () => {
    await page.route("**/api/setup/check", (route) => route.abort());
    await page.goto(linkOf(server));
    await heading("无法检查链接").waitFor();
    await page.unroute("**/api/setup/check");
    await page.getByRole("button", { name: "重试" }).click();
    await page.getByLabel("新密码").waitFor();
  });

  it("says the server's own reason when it refuses to answer", async () => {
    await page.route("**/api/setup/check", (route) =>
      route.fulfill({ status: 429, json: { success: false, message: "请求过于频繁，请稍后再试" } }),
    );
    await page.goto(linkOf(server));
    await page.getByText("请求过于频繁").waitFor();
  });
});

describe("S4: the set-up page", () => {
  it("breaks no rule of accessibility, light or dark, wide or narrow, with a form or without, in both languages", async () => {
    const found: string[] = [];
    for (const locale of ["zh-CN", "en"]) {
      await page.context().close();
      page = await newVisit(browser, { locale, bypassCSP: true });
      await page.addInitScript(
        `localStorage.setItem("language", ${JSON.stringify(locale === "en" ? "en" : "zh-CN")})`,
      );
      for (const link of [linkOf(server), `${server.url}/setup#WrongCode`]) {
        await page.goto("about:blank");
        await page.goto(link);
        await page.waitForFunction(
          "document.querySelector('h1') && !document.querySelector('[aria-busy=true]')",
        );
        for (const width of [1440, 360]) {
          await page.setViewportSize({ width, height: 800 });
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            found.push(
              ...(await faultsOf()).map((fault) => `${link} ${locale} ${width} ${colorScheme}: ${fault}`),
            );
          }
        }
      }
    }
    expect(found).toEqual([]);
  });

  it("keeps the code behind the #, and names faults before it sends anything", async () => {
    const calls = watchCalls(page);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    const link = linkOf(server);
    await page.goto(link);
    const password = page.getByLabel("新密码");
    await password.waitFor();
    expect(await page.getByLabel("用户名").inputValue()).toBe("root");
    const submit = page.getByRole("button", { name: "设置密码并登录" });
    await submit.click();
    await page.getByText("此项不能为空").waitFor();
    await password.fill("1234567");
    await submit.click();
    await page.getByText("密码长度不得小于 8 位!").waitFor();
    await password.fill(PASSWORD);
    await page.getByLabel("确认密码").fill("something-else");
    await submit.click();
    await page.getByText("两次输入的密码不一致").waitFor();
    expect(calls).not.toContain("POST /api/setup");
    const code = link.slice(link.indexOf("#") + 1);
    // The browser tells of a page's address with its fragment, and sends it without.
    const sent = addresses.filter((address) => address !== link);
    expect(sent.filter((address) => address.includes(code))).toEqual([]);
  });

  it("leads by the keyboard alone to the quick start, once; until then the login page says where the link is", async () => {
    await page.goto(`${server.url}/login`);
    await page.getByText("root 尚未设置密码").waitFor();
    await submitLogin(page, "root", "123456");
    await page.getByText("用户名或密码错误").waitFor();

    const link = linkOf(server);
    await page.goto(link);
    await page.getByLabel("新密码").focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/start");
    await page.getByRole("heading", { name: "快速接入" }).waitFor();
    await page.getByRole("button", { name: "root", exact: true }).waitFor();

    // Another person opens the same link.
    const other = await newVisit(browser);
    await other.goto(link);
    await other.getByRole("heading", { name: "设置已完成" }).waitFor();
    await other.getByRole("link", { name: "前往登录" }).click();
    await other.waitForURL("**/login");
    expect(await other.getByText("root 尚未设置密码").count()).toBe(0);
    await submitLogin(other, "root", PASSWORD);
    await other.waitForURL("**/token");
    await other.context().close();
  });

  it("says so when the link was used while the form stood open", async () => {
    const fresh = await startFresh();
    try {
      const link = linkOf(fresh);
      await page.goto(link);
      await page.getByLabel("新密码").fill(PASSWORD);
      await page.getByLabel("确认密码").fill(PASSWORD);
      const body = { code: link.slice(link.indexOf("#") + 1), password: "somebody-quicker" };
      expect((await fresh.api("POST", "/api/setup", body)).body.success).toBe(true);
      await page.getByRole("button", { name: "设置密码并登录" }).click();
      await heading("设置已完成").waitFor();
    } finally {
      await fresh.stop();
    }
  });
});
