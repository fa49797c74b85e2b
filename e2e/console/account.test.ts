import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, type SignedIn, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mailbox, startMailbox } from "../api/management/mailbox";
import { type StandIn, startStandIn } from "../api/management/stand-in";
import { enter, fieldOf, newVisit, readStorage, submitLogin, watchCalls } from "./visitor";

const GITHUB_USER = { id: 583231, login: "octocat", name: "The Octocat", email: null };

let server: ServerProcess;
let root: SignedIn;
let mailbox: Mailbox;
let github: StandIn;
let wechat: StandIn;
let turnstile: StandIn;
let browser: Browser;
let page: Page;
let calls: string[];

const set = async (options: Record<string, string>): Promise<void> => {
  for (const [key, value] of Object.entries(options)) {
    const { body, text } = await root.api("PUT", "/api/option/", { key, value });
    if (body.success !== true) throw new Error(`${key} was refused: ${text}`);
  }
};

beforeAll(async () => {
  [mailbox, github, wechat, turnstile, browser] = await Promise.all([
    startMailbox(),
    startStandIn(({ path }) => ({
      body: path === "/login/oauth/access_token" ? { access_token: "grant" } : GITHUB_USER,
    })),
    startStandIn(({ path }) => {
      const code = new URL(path, "http://x").searchParams.get("code") ?? "";
      return { body: { success: code.startsWith("good"), message: "", data: `wechat-${code}` } };
    }),
    startStandIn(({ body }) => ({
      body: { success: new URLSearchParams(body).get("response") === "human-1" },
    })),
    launchBrowser(),
  ]);
  server = await startServer({
    env: { GITHUB_URL: github.url, GITHUB_API_URL: github.url, TURNSTILE_URL: turnstile.url },
  });
  root = await server.signIn();
  await set({
    ServerAddress: server.url,
    SMTPServer: "127.0.0.1",
    SMTPPort: String(mailbox.port),
    SMTPAccount: "gate@example.com",
    SMTPToken: "mail-secret",
  });
  await addUser(root, server.signIn, "alice");
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await Promise.all([mailbox, github, wechat, turnstile].map((each) => each?.close()));
});

beforeEach(async () => {
  page = await newVisit(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  calls = watchCalls(page);
  mailbox.mails.length = 0;
});

afterEach(() => page.context().close());

const open = (path: string) => page.goto(server.url + path);
const field = (label: string) => fieldOf(page, label);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
const readUser = async () => JSON.parse((await readStorage(page, "user")) ?? "null");
const readClipboard = () => page.evaluate<string>("navigator.clipboard.readText()");
const lastCall = (start: string) => calls.findLast((call) => call.startsWith(start));

/** The body of the next call whose address contains this. */
const nextBody = async (part: string): Promise<unknown> =>
  (await page.waitForRequest((request) => request.url().includes(part))).postDataJSON();

describe("the login page", () => {
  it("has a username, a password, and links to /reset and /register; other accounts only where the site offers them", async () => {
    await open("/login");
    expect(await field("用户名").getAttribute("type")).not.toBe("password");
    expect(await field("密码").getAttribute("type")).toBe("password");
    expect(await page.getByRole("link", { name: "忘记密码？点击重置" }).getAttribute("href")).toBe("/reset");
    expect(await page.getByRole("link", { name: "没有账户？点击注册" }).getAttribute("href")).toBe(
      "/register",
    );
    expect(await button("使用 GitHub 登录").count()).toBe(0);
    expect(await button("使用微信登录").count()).toBe(0);
  });

  it("sends both, says so, stores the user with a numeric role, and goes to /token", async () => {
    await open("/login");
    const sent = nextBody("/api/user/login");
    await submitLogin(page, "alice", "password-1");
    expect(await sent).toEqual({ username: "alice", password: "password-1" });
    await said("登录成功!");
    await page.waitForURL("**/token");
    expect(await readUser()).toMatchObject({ username: "alice", role: 1, id: expect.any(Number) });
  });

  it("goes to /token even when the guard sent the person away from another page", async () => {
    await open("/topup");
    await page.waitForURL("**/login");
    await submitLogin(page, "alice", "password-1");
    await page.waitForURL("**/token");
  });

  it("sends root with the default password to /user/edit, with a warning", async () => {
    await open("/login");
    await submitLogin(page, "root", "123456");
    await page.waitForURL("**/user/edit");
    await said("请立刻修改默认密码！");
    expect(await readUser()).toMatchObject({ username: "root", role: 100 });
  });

  it("shows a refusal's message and keeps the typed text", async () => {
    await open("/login");
    await submitLogin(page, "alice", "wrong");
    await page.getByText("用户名或密码错误，或用户已被封禁").waitFor();
    expect(await field("用户名").inputValue()).toBe("alice");
    expect(await field("密码").inputValue()).toBe("wrong");
    expect(new URL(page.url()).pathname).toBe("/login");
  });
});

describe("WeChat", () => {
  beforeAll(async () => {
    await set({
      WeChatServerAddress: wechat.url,
      WeChatServerToken: "wechat-secret",
      WeChatAccountQRCodeImageURL: "/logo.png",
      WeChatAuthEnabled: "true",
    });
  });

  it("opens a window with a QR image and a code valid for three minutes, and signs in with the code", async () => {
    await open("/login");
    await button("使用微信登录").click();
    const dialog = page.getByRole("dialog", { name: "使用微信登录" });
    await dialog.getByRole("img").waitFor();
    expect(await dialog.getByRole("img").getAttribute("src")).toBe("/logo.png");
    expect(await dialog.textContent()).toContain("三分钟内有效");
    await dialog.getByLabel("验证码").fill("bad");
    await dialog.getByRole("button", { name: "登录" }).click();
    await said("验证码错误或已过期");
    expect(await dialog.getByLabel("验证码").inputValue()).toBe("bad");
    await dialog.getByLabel("验证码").fill("good-1");
    await dialog.getByRole("button", { name: "登录" }).click();
    await page.waitForURL("**/token");
    expect(lastCall("GET /api/oauth/wechat")).toBe("GET /api/oauth/wechat?code=good-1");
    expect((await readUser()).username).toMatch(/^we/);
  });

  it("is bound in the personal settings", async () => {
    await enter(page, server.url, "alice", "password-1");
    await open("/setting");
    await button("绑定微信账户").click();
    const dialog = page.getByRole("dialog", { name: "绑定微信账户" });
    await dialog.getByRole("img").waitFor();
    await dialog.getByLabel("验证码").fill("good-2");
    await dialog.getByRole("button", { name: "绑定" }).click();
    await said("微信账户绑定成功!");
    expect(lastCall("GET /api/oauth/wechat/bind")).toBe("GET /api/oauth/wechat/bind?code=good-2");
    await page.getByText("wechat-good-2").waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe("GitHub", () => {
  beforeAll(async () => {
    await set({ GitHubClientId: "client-1", GitHubClientSecret: "s", GitHubOAuthEnabled: "true" });
  });

  /** Stands in for GitHub's page of consent, which sends people back. */
  const consent = async (): Promise<URLSearchParams> => {
    const asked = new URLSearchParams();
    await page.route("https://github.com/**", async (route) => {
      const { searchParams } = new URL(route.request().url());
      for (const [name, value] of searchParams) asked.set(name, value);
      const back = `${server.url}/oauth/github?code=good&state=${searchParams.get("state")}`;
      await route.fulfill({ status: 302, headers: { location: back } });
    });
    return asked;
  };

  it("asks for consent with a state and comes back signed in, to /", async () => {
    const asked = await consent();
    await open("/login");
    await button("使用 GitHub 登录").click();
    await page.waitForURL(`${server.url}/`);
    await said("登录成功!");
    const state = asked.get("state") ?? "";
    expect(asked.get("client_id")).toBe("client-1");
    expect(state).not.toBe("");
    expect(lastCall("GET /api/oauth/state")).toBe("GET /api/oauth/state");
    expect(lastCall("GET /api/oauth/github")).toBe(`GET /api/oauth/github?code=good&state=${state}`);
    expect((await readUser()).username).toMatch(/^gi/);
    await root.api("POST", "/api/user/manage", {
      username: (await readUser()).username,
      action: "delete",
    });
  });

  it("is bound to who is signed in, which ends in /setting", async () => {
    await consent();
    await enter(page, server.url, "alice", "password-1");
    await open("/setting");
    await button("绑定 GitHub 账户").click();
    await page.waitForURL("**/setting");
    await said("绑定成功！");
    await page.getByText(String(GITHUB_USER.id)).waitFor();
    expect((await readUser()).username).toBe("alice");
  });
});

describe("the registration", () => {
  beforeAll(() => set({ EmailVerificationEnabled: "true", QuotaForInviter: "500000" }));
  afterAll(() => set({ EmailVerificationEnabled: "false" }));

  it("comes by an invite link, mails a code, counts 30 seconds down, and sends every field", async () => {
    const inviter = await root.api("GET", "/api/user/aff");
    const code = String(inviter.body.data);
    await page.clock.install();
    await open(`/register?aff=${code}`);
    await field("用户名").fill("newcomer");
    await field("密码").fill("password-2");
    await field("确认密码").fill("password-2");
    await field("邮箱地址").fill("new@example.com");
    await button("获取验证码").click();
    await said("验证码发送成功,请检查你的邮箱!");
    expect(lastCall("GET /api/verification")).toBe(
      "GET /api/verification?email=new%40example.com&turnstile=",
    );
    const resend = page.getByRole("button", { name: /^重试 \(\d+\)$/ });
    expect(await resend.isDisabled()).toBe(true);
    await page.clock.runFor(28_000);
    expect(Number(/\d+/.exec((await resend.textContent()) ?? "")?.[0])).toBeLessThanOrEqual(2);
    expect(await resend.isDisabled()).toBe(true);
    await page.clock.runFor(2_000);
    expect(await button("获取验证码").isEnabled()).toBe(true);

    const mail = await mailbox.first();
    expect(mail.to).toEqual(["new@example.com"]);
    const mailed = /<strong>(\w+)<\/strong>/.exec(mail.html)?.[1] ?? "";
    await field("验证码").fill(mailed);
    const sent = nextBody("/api/user/register");
    await button("注册").click();
    expect(await sent).toEqual({
      username: "newcomer",
      password: "password-2",
      password2: "password-2",
      email: "new@example.com",
      verification_code: mailed,
      aff_code: code,
    });
    expect(lastCall("POST /api/user/register")).toBe("POST /api/user/register?turnstile=");
    await said("注册成功!");
    await page.waitForURL("**/login");
    await submitLogin(page, "newcomer", "password-2");
    await page.waitForURL("**/token");
  });

  it("names faults before it sends anything, and the maximum length of names and passwords", async () => {
    await open("/register");
    expect(await field("用户名").getAttribute("placeholder")).toBe("输入用户名，最长 12 位");
    expect(await field("密码").getAttribute("placeholder")).toBe("输入密码，最短 8 位，最长 20 位");
    await button("注册").click();
    expect(await page.getByText("此项不能为空").count()).toBe(2);
    await field("用户名").fill("somebody");
    await field("密码").fill("1234567");
    await button("注册").click();
    await said("密码长度不得小于 8 位!");
    await field("密码").fill("12345678");
    await field("确认密码").fill("12345679");
    await button("注册").click();
    await said("两次输入的密码不一致");
    await button("获取验证码").click();
    await said("请输入邮箱地址");
    expect(calls.filter((call) => /register|verification/.test(call))).toEqual([]);
    expect(await field("用户名").inputValue()).toBe("somebody");
  });

  it("keeps everything typed when the server refuses", async () => {
    await open("/register");
    await field("用户名").fill("alice");
    await field("密码").fill("password-3");
    await field("确认密码").fill("password-3");
    await field("邮箱地址").fill("other@example.com");
    await field("验证码").fill("000000");
    await button("注册").click();
    await page.getByRole("alert").filter({ hasText: "用户名已被占用" }).waitFor();
    expect(await field("用户名").getAttribute("aria-invalid")).toBe("true");
    const typed = await Promise.all(
      ["用户名", "密码", "确认密码", "邮箱地址", "验证码"].map((label) => field(label).inputValue()),
    );
    expect(typed).toEqual(["alice", "password-3", "password-3", "other@example.com", "000000"]);
  });
});

describe("an e-mail address", () => {
  it("is bound in the personal settings by a mailed code", async () => {
    await addUser(root, server.signIn, "forgetful");
    await enter(page, server.url, "forgetful", "password-1");
    await open("/setting");
    await button("绑定邮箱地址").click();
    const dialog = page.getByRole("dialog", { name: "绑定邮箱地址" });
    await dialog.getByLabel("邮箱地址").fill("forgetful@example.com");
    await dialog.getByRole("button", { name: "获取验证码" }).click();
    await said("验证码发送成功,请检查你的邮箱!");
    const code = /<strong>(\w+)<\/strong>/.exec((await mailbox.first()).html)?.[1] ?? "";
    await dialog.getByLabel("验证码", { exact: true }).fill("wrong");
    await dialog.getByRole("button", { name: "绑定", exact: true }).click();
    await said("验证码错误或已过期");
    await dialog.getByLabel("验证码", { exact: true }).fill(code);
    await dialog.getByRole("button", { name: "绑定", exact: true }).click();
    await said("邮箱账户绑定成功!");
    expect(lastCall("GET /api/oauth/email/bind")).toBe(
      `GET /api/oauth/email/bind?email=forgetful%40example.com&code=${code}`,
    );
    await page.getByText("forgetful@example.com", { exact: true }).waitFor();
  });
});

describe("a forgotten password", () => {
  it("is reset by a mailed link, its button counting 30 seconds down, and the new one is copied by a click", async () => {
    await page.clock.install();
    await open("/reset");
    await button("提交").click();
    await page.getByRole("main").getByText("请输入邮箱地址", { exact: true }).waitFor();
    expect(calls.some((call) => call.includes("reset_password"))).toBe(false);
    await field("邮箱地址").fill("forgetful@example.com");
    await button("提交").click();
    await said("重置邮件已发送，请检查你的邮箱！");
    expect(lastCall("GET /api/reset_password")).toBe(
      "GET /api/reset_password?email=forgetful%40example.com&turnstile=",
    );
    const retry = page.getByRole("button", { name: /^重试 \(\d+\)$/ });
    expect(await retry.isDisabled()).toBe(true);
    await page.clock.runFor(30_000);
    expect(await button("提交").isEnabled()).toBe(true);

    const link = /href="([^"]+)"/.exec((await mailbox.first()).html)?.[1]?.replace(/&(amp|#38);/g, "&") ?? "";
    expect(link).toContain("/user/reset?email=forgetful%40example.com&token=");
    await page.goto(link);
    expect(await field("邮箱地址").inputValue()).toBe("forgetful@example.com");
    expect(await field("邮箱地址").getAttribute("readonly")).not.toBeNull();
    const sent = nextBody("/api/user/reset");
    await button("提交").click();
    expect(await sent).toEqual({
      email: "forgetful@example.com",
      token: new URL(link).searchParams.get("token"),
    });
    await field("新密码").click();
    await said("已复制到剪贴板！");
    const password = await field("新密码").inputValue();
    expect(await readClipboard()).toBe(password);
    expect((await server.signIn("forgetful", password)).cookie).toContain("session=");
  });

  it("is shown selected, with a warning to copy it by hand, where the clipboard refuses", async () => {
    await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))');
    await page.route("**/api/user/reset", (route) =>
      route.fulfill({ json: { success: true, message: "", data: "fresh-password" } }),
    );
    await open("/user/reset?email=a%40example.com&token=t");
    await button("提交").click();
    await field("新密码").click();
    await said("无法复制到剪贴板，请手动复制。");
    const selected = await page.evaluate("document.getSelection().toString()");
    expect(selected).toBe("fresh-password");
  });

  it("needs a whole link, and leads back to the request without one", async () => {
    await open("/user/reset?email=a%40example.com");
    await said("重置链接不完整，请重新获取重置邮件。");
    await page.getByRole("link", { name: "重新获取重置邮件" }).click();
    await page.waitForURL("**/reset");
  });
});

describe("the human check", () => {
  beforeAll(() =>
    set({ TurnstileSiteKey: "site", TurnstileSecretKey: "secret", TurnstileCheckEnabled: "true" }),
  );
  afterAll(() => set({ TurnstileCheckEnabled: "false" }));

  /** Stands in for Cloudflare's script: its widget gives a token when the test says so. */
  const standIn = () =>
    page.route("https://challenges.cloudflare.com/**", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `window.turnstile = {
          render(element, options) { element.textContent = "widget " + options.sitekey; window.pass = options.callback; return "1"; },
          reset() {}, remove() {},
        };`,
      }),
    );
  const pass = () => page.evaluate("window.pass('human-1')");

  it("holds a registration back with a warning until its token is ready, and sends the token", async () => {
    await standIn();
    await open("/register");
    await page.getByText("widget site").waitFor();
    await field("用户名").fill("human");
    await field("密码").fill("password-4");
    await field("确认密码").fill("password-4");
    await button("注册").click();
    await said("请稍后几秒重试,Turnstile 正在检查用户环境!");
    expect(lastCall("POST")).toBeUndefined();
    await pass();
    await button("注册").click();
    await said("注册成功!");
    expect(lastCall("POST /api/user/register")).toBe("POST /api/user/register?turnstile=human-1");
  });

  it("holds a reset request back with a warning, and sends the token", async () => {
    await standIn();
    await open("/reset");
    await page.getByText("widget site").waitFor();
    await field("邮箱地址").fill("nobody@example.com");
    await button("提交").click();
    await said("请稍后几秒重试,Turnstile 正在检查用户环境!");
    expect(lastCall("GET /api/reset_password")).toBeUndefined();
    await pass();
    await button("提交").click();
    await said("重置邮件已发送，请检查你的邮箱！");
    expect(lastCall("GET /api/reset_password")).toBe(
      "GET /api/reset_password?email=nobody%40example.com&turnstile=human-1",
    );
  });

  it("says so when its script does not come", async () => {
    await page.route("https://challenges.cloudflare.com/**", (route) => route.abort());
    await open("/reset");
    await page.getByText("人机校验未能加载，请检查网络后刷新页面。").waitFor();
  });
});
