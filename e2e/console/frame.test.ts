import type { Status } from "@tollgate/contract/api/status";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, startDouble } from "@tollgate/testkit/contract-double/double";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enter, newVisit, readStorage, watchCalls } from "./visitor";

let double: Double;
let browser: Browser;
let page: Page;
/** What the server's status says unless a test changes it. */
let plainStatus: Status;

beforeAll(async () => {
  [double, browser] = await Promise.all([startDouble({ files: "dist/console" }), launchBrowser()]);
  plainStatus = { ...double.world.status };
  const [root] = double.world.users;
  if (root) double.world.users.push({ ...root, id: 90, username: "sixteen-letters!", password: "12345678" });
});

afterAll(async () => {
  await browser?.close();
  await double?.close();
});

beforeEach(async () => {
  double.world.status = { ...plainStatus };
  page = await newVisit(browser);
});

afterEach(async () => {
  double.fail("/api/status", undefined);
  await page.context().close();
});

const open = async (path: string): Promise<void> => {
  await page.goto(double.url + path);
  await page.locator("h1").first().waitFor({ state: "attached" });
};
const footer = () => page.locator("footer");
const toast = (text: string): Locator => page.getByRole("article").filter({ hasText: text });

/** Lets a file of this name arrive only when the returned function is called. */
const holdBack = async (name: string): Promise<() => void> => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

describe("the top menu", () => {
  it("holds a dropdown with logout under the name, which is cut at 15 characters", async () => {
    await enter(page, double.url, "sixteen-letters!", "12345678");
    const calls = watchCalls(page);
    await open("/about");
    await page.getByRole("button", { name: "sixteen-letters…" }).click();
    await page.getByRole("menuitem", { name: "退出登录" }).click();
    await page.waitForURL("**/login");
    expect(calls).toContain("GET /api/user/logout");
    expect(await readStorage(page, "user")).toBeNull();
    expect(await page.getByRole("banner").getByRole("link", { name: "登录", exact: true }).count()).toBe(1);
  });

  it("opens the dropdown for a click that came before its code", async () => {
    await enter(page, double.url);
    const release = await holdBack("user-menu");
    await open("/about");
    await page.getByRole("button", { name: "root" }).click();
    release();
    await page.getByRole("menuitem", { name: "退出登录" }).waitFor();
  });

  it("opens the dropdown by the keyboard, whose code is fetched by then", async () => {
    await enter(page, double.url);
    await open("/about");
    await page.getByRole("button", { name: "root" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("menuitem", { name: "退出登录" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menuitem", { name: "退出登录" }).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "退出登录" }).waitFor();
  });

  it("folds at 600 px: with logout for who is signed in, login and register for guests", async () => {
    await page.setViewportSize({ width: 600, height: 900 });
    await open("/about");
    expect(await page.getByRole("navigation", { name: "主菜单" }).count()).toBe(0);
    await page.getByRole("button", { name: "菜单" }).click();
    const panel = page.locator("#narrow-menu");
    await panel.waitFor();
    expect(await panel.getByRole("link").allTextContents()).toEqual(["首页", "关于", "登录", "注册"]);
    await page.getByRole("button", { name: "菜单" }).click();
    expect(await panel.count()).toBe(0);
    await enter(page, double.url);
    await open("/about");
    await page.getByRole("button", { name: "菜单" }).click();
    expect(await panel.getByRole("link", { name: "登录" }).count()).toBe(0);
    await panel.getByRole("button", { name: "退出登录" }).click();
    await page.waitForURL("**/login");
    await page.setViewportSize({ width: 601, height: 900 });
    await page.getByRole("navigation", { name: "主菜单" }).waitFor();
    expect(await page.getByRole("button", { name: "菜单" }).count()).toBe(0);
  });

  it("has the chat only while a chat link exists", async () => {
    await enter(page, double.url);
    await open("/about");
    const chat = page.getByRole("link", { name: "聊天" });
    expect(await chat.count()).toBe(0);
    double.world.status.chat_link = "https://chat.example.com";
    await page.reload();
    await chat.waitFor();
    double.world.status.chat_link = "";
    await page.reload();
    await chat.waitFor({ state: "detached" });
  });
});

describe("shortcuts that are pressed before their code has come", () => {
  const pressEarly = async (...keys: string[]): Promise<void> => {
    await enter(page, double.url);
    const release = await holdBack("shortcuts");
    await open("/about");
    for (const key of keys) await page.keyboard.press(key);
    release();
  };

  it("open the command menu, and not the browser's own search", async () => {
    await pressEarly("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
  });

  it("show the keys", async () => {
    await pressEarly("?");
    await page.getByRole("dialog", { name: "键盘快捷键" }).waitFor();
  });

  it("lead to a section", async () => {
    await pressEarly("g", "l");
    await page.waitForURL("**/log");
  });

  it("are not those that were typed into a field", async () => {
    await enter(page, double.url);
    const release = await holdBack("shortcuts");
    await open("/token");
    await page.getByRole("searchbox").pressSequentially("gl?");
    release();
    await page.getByRole("button", { name: "搜索（Ctrl+K）" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/token");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

describe("the choice of a language", () => {
  const files = (name: string): Promise<number> =>
    page.evaluate(
      (part) => performance.getEntriesByType("resource").filter((each) => each.name.includes(part)).length,
      `/assets/${name}-`,
    );

  it("names each language in itself, fetches the chosen one only, and asks the server in it from then on", async () => {
    await open("/login");
    const choice = page.getByRole("combobox", { name: "语言" });
    expect(await choice.getByRole("option").allTextContents()).toEqual(["简体中文", "繁體中文", "English"]);
    expect([await files("zh-CN"), await files("zh-TW"), await files("en")]).toEqual([1, 0, 0]);
    const asked = page.waitForRequest("**/api/status");
    await choice.selectOption("繁體中文");
    await page.getByRole("heading", { name: /^登入/ }).waitFor();
    expect((await asked).headers()["accept-language"]).toBe("zh-TW");
    expect([await files("zh-CN"), await files("zh-TW"), await files("en")]).toEqual([1, 1, 0]);
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-TW");
    await open("/login");
    await page.getByRole("combobox", { name: "語言" }).waitFor();
    expect(await files("zh-CN")).toBe(0);
  });
});

describe("the footer", () => {
  it("names the product, its version, its authors and a permissive licence", async () => {
    await open("/about");
    expect(await footer().textContent()).toBe(
      `Tollgate v0.5.9-alpha (Tollgate ${PRODUCT_VERSION}) · 由 Tollgate 贡献者 构建 · 源代码遵循 MIT 协议`,
    );
    expect(await footer().getByRole("link", { name: "Tollgate 贡献者" }).getAttribute("href")).toBe("/about");
    expect(await footer().getByRole("link", { name: "MIT 协议" }).getAttribute("href")).toMatch(
      /mit-license/,
    );
  });

  it("is the configured HTML instead", async () => {
    double.world.status.footer_html = '<b>our own</b> <a href="https://example.com/">site</a>';
    await open("/about");
    await footer().locator("b", { hasText: "our own" }).waitFor();
    expect((await footer().textContent())?.trim()).toBe("our own site");
  });
});

describe("the start", () => {
  it("restores the stored user, and opens the sign-in when the stored text is broken", async () => {
    await enter(page, double.url);
    await open("/token");
    expect(new URL(page.url()).pathname).toBe("/token");
    await page.getByRole("button", { name: "root" }).waitFor();
    await page.evaluate('localStorage.setItem("user", "{broken")');
    await page.reload();
    await page.waitForURL("**/login");
  });

  it("caches the status under its keys, and names the page and its icon after the site", async () => {
    Object.assign(double.world.status, {
      system_name: "我的网关",
      logo: "/logo.svg?own",
      footer_html: "<i>foot</i>",
      quota_per_unit: 1000,
      display_in_currency: false,
      chat_link: "https://chat.example.com",
    });
    await open("/about");
    await expect.poll(() => page.title()).toBe("我的网关");
    expect(await page.locator("#site-icon").getAttribute("href")).toBe("/logo.svg?own");
    expect(await page.getByRole("banner").locator("img").getAttribute("src")).toBe("/logo.svg?own");
    const keys = ["system_name", "logo", "footer_html", "quota_per_unit", "display_in_currency", "chat_link"];
    const stored = await Promise.all(keys.map((key) => readStorage(page, key)));
    expect(stored).toEqual([
      "我的网关",
      "/logo.svg?own",
      "<i>foot</i>",
      "1000",
      "false",
      "https://chat.example.com",
    ]);
    expect(JSON.parse((await readStorage(page, "status")) ?? "{}")).toMatchObject({
      system_name: "我的网关",
    });
  });

  it("falls back to the product's name and /logo.png", async () => {
    Object.assign(double.world.status, { system_name: "", logo: "" });
    await open("/about");
    await expect.poll(() => readStorage(page, "system_name")).toBe("Tollgate");
    expect(await readStorage(page, "logo")).toBe("/logo.png");
    expect(await page.title()).toBe("Tollgate");
    expect((await page.request.get(`${double.url}/logo.png`)).headers()["content-type"]).toBe("image/png");
  });

  it("tells of a new version, to be fetched with Shift+F5, and not of v0.0.0", async () => {
    double.world.status.version = "v0.6.0";
    await open("/about");
    await toast("新版本可用：v0.6.0，请使用快捷键 Shift + F5 刷新页面").waitFor();
    for (const version of ["v0.0.0", "v0.5.9-alpha"]) {
      double.world.status.version = version;
      const answered = page.waitForResponse("**/api/status");
      await page.reload();
      await answered;
      await page.locator("h1").waitFor();
      expect(await page.getByText("新版本可用").count()).toBe(0);
    }
  });

  it("reports a missing status, and shows the last known one", async () => {
    double.world.status.system_name = "上次的名字";
    await open("/about");
    await expect.poll(() => readStorage(page, "system_name")).toBe("上次的名字");
    for (const fault of ["hang-up", 500, "not-json"] as const) {
      double.fail("/api/status", fault);
      await page.reload();
      await toast("无法正常连接至服务器！").waitFor();
      expect(await page.getByRole("banner").textContent()).toContain("上次的名字");
    }
  });
});

describe("a page whose code is on its way", () => {
  it("is announced by its name, or as a page where it has none", async () => {
    await enter(page, double.url);
    await open("/about");
    const releaseTokens = await holdBack("api-key-list-page");
    await page.getByRole("link", { name: "令牌" }).click();
    await page.getByText("加载令牌页面中...", { exact: true }).waitFor();
    releaseTokens();
    await page.getByRole("heading", { name: "我的令牌" }).waitFor();
    const releaseReset = await holdBack("reset-request-page");
    await page.goto(`${double.url}/reset`, { waitUntil: "commit" });
    await page.getByText("加载页面中...", { exact: true }).waitFor();
    releaseReset();
    await page.getByRole("heading", { name: "密码重置" }).waitFor();
  });

  it("comes from the site's root and may take 120 seconds", async () => {
    await page.clock.install();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await holdBack("reset-request-page");
    await page.goto(`${double.url}/user/reset`);
    await page.getByRole("link", { name: "重新获取重置邮件" }).click();
    await page.getByText("加载页面中...", { exact: true }).waitFor();
    expect(asked.some((url) => url.startsWith(`${double.url}/assets/reset-request-page-`))).toBe(true);
    await page.clock.runFor(119_000);
    expect(await page.getByText("加载页面中...", { exact: true }).count()).toBe(1);
    await page.clock.runFor(2_000);
    await page.getByRole("heading", { name: "这个页面没能打开" }).waitFor({ state: "attached" });
    expect(await page.getByRole("button", { name: "重新加载" }).count()).toBe(1);
  });
});

describe("coming back from GitHub", () => {
  it("says that it is processing, then which retry it waits for: 2, 4, 6 s; and ends in /setting with the message", async () => {
    await page.clock.install();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let tries = 0;
    await page.route("**/api/oauth/github**", async (route) => {
      tries += 1;
      await held;
      await route.continue();
    });
    await page.goto(`${double.url}/oauth/github?code=bad&state=s`);
    await page.getByRole("main").getByText("处理中...", { exact: true }).waitFor();
    release();
    for (const attempt of [1, 2, 3]) {
      await page.getByText(`出现错误，第 ${attempt} 次重试中...`, { exact: true }).waitFor();
      expect(tries).toBe(attempt);
      await page.clock.runFor(2000 * attempt);
    }
    await toast("无效的参数").waitFor();
    expect(tries).toBe(4);
    // No user is signed in, so the guard of /setting redirects to the login page.
    await page.waitForURL("**/login");
    expect(await page.evaluate("history.state.from")).toBe("/setting");
  });
});

describe("a notice of an administrator", () => {
  it("stays until it is closed, may hold HTML, and comes back only when it has changed", async () => {
    await page.clock.install();
    double.world.texts.notice = "<u>维护</u> 今晚";
    await page.goto(double.url);
    await toast("维护 今晚").locator("u").waitFor();
    await page.clock.runFor(60_000);
    await toast("维护 今晚").getByRole("button", { name: "关闭" }).click();
    await toast("维护 今晚").waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await toast("维护 今晚").count()).toBe(0);
    double.world.texts.notice = "";
  });
});

describe("toasts", () => {
  it("stand top right, and top centre at 600 px or less", async () => {
    double.world.status.version = "v9.9.9";
    await open("/about");
    const box = async () => (await toast("新版本可用").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await toast("新版本可用").waitFor();
    expect((await box()).x + (await box()).width).toBeGreaterThan(1280 - 40);
    expect((await box()).y).toBeLessThan(100);
    await page.setViewportSize({ width: 600, height: 900 });
    const narrow = await box();
    expect(Math.abs(narrow.x + narrow.width / 2 - 300)).toBeLessThan(10);
    expect(narrow.y).toBeLessThan(60);
  });
});

describe("hints", () => {
  it("that were closed are remembered as prompt-{name}", async () => {
    await enter(page, double.url);
    await open("/channel");
    await page.getByRole("button", { name: "不再显示此提示" }).click();
    expect(await readStorage(page, "prompt-channel-test")).toBe("true");
    await page.reload();
    await page.getByRole("heading", { name: "管理渠道" }).waitFor();
    expect(await page.getByRole("button", { name: "不再显示此提示" }).count()).toBe(0);
  });
});
