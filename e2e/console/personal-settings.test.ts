import { launchBrowser } from "@tollgate/testkit/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DoublePage, openDoublePage } from "./double-page";

let browser: Browser;
let at: DoublePage;

beforeAll(async () => {
  browser = await launchBrowser();
  at = await openDoublePage(browser, "alice");
  Object.assign(at.double.world.status, {
    wechat_login: true,
    wechat_qrcode: "/logo.svg",
    github_oauth: true,
    github_client_id: "client-7",
  });
  await at.page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: at.double.url });
  await at.go("/setting");
});

beforeEach(() => at.forgetCalls());

afterAll(async () => {
  await at?.close();
  await browser?.close();
});

const press = (name: string) => at.page.getByRole("button", { name, exact: true }).click();
const clipboard = () => at.page.evaluate("navigator.clipboard.readText()");
const dialog = () => at.page.getByRole("dialog");

describe("personal settings", () => {
  it("generate an access token with GET /api/user/token and copy it", async () => {
    await press("生成系统访问令牌");
    await at.toast("令牌已重置并已复制到剪贴板");
    expect(at.callsOf("GET /api/user/token")).toHaveLength(1);
    expect(await clipboard()).toBe("00112233445566778899aabbccddeeff");
  });

  it("copy the invite link made of GET /api/user/aff", async () => {
    await press("复制邀请链接");
    await at.toast("邀请链接已复制到剪切板");
    expect(at.callsOf("GET /api/user/aff")).toHaveLength(1);
    expect(await clipboard()).toBe(`${at.double.url}/register?aff=A003`);
  });

  it("warn where the clipboard refuses, and show the text to copy by hand", async () => {
    await at.page.context().clearPermissions();
    await at.page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject() } })",
    );
    await press("复制邀请链接");
    await at.toast("无法复制到剪贴板，请手动复制。");
    expect(await at.page.getByRole("textbox", { name: "邀请链接" }).inputValue()).toContain(
      "/register?aff=A003",
    );
    await at.go("/setting");
  });

  it("bind WeChat with the code of the picture's account", async () => {
    await press("绑定微信账户");
    await dialog().getByRole("img", { name: "公众号二维码" }).waitFor();
    await dialog().getByText("三分钟内有效").waitFor();
    at.forgetCalls();
    await dialog().getByLabel("验证码").fill("654321");
    await dialog().getByRole("button", { name: "绑定" }).click();
    await at.toast("微信账户绑定成功!");
    expect(at.callsOf("GET /api/oauth/")).toEqual(["GET /api/oauth/wechat/bind?code=654321"]);
    await dialog().waitFor({ state: "detached" });
  });

  it("bind an e-mail address with the code that was sent there", async () => {
    await press("绑定邮箱地址");
    await dialog().getByLabel("邮箱地址").fill("alice@example.org");
    await press("获取验证码");
    await at.toast("验证码发送成功,请检查你的邮箱!");
    await dialog().getByLabel("验证码", { exact: true }).fill("abc123");
    await dialog().getByRole("button", { name: "绑定" }).click();
    await at.toast("邮箱账户绑定成功!");
    expect(at.callsOf("GET /api/oauth/email")).toEqual([
      "GET /api/oauth/email/bind?email=alice%40example.org&code=abc123",
    ]);
  });

  it("bind GitHub by going where it asks for consent, with the state of GET /api/oauth/state", async () => {
    await at.page.route("https://github.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "consent" }),
    );
    await press("绑定 GitHub 账户");
    await at.page.getByText("consent").waitFor();
    expect(at.callsOf("GET /api/oauth/state")).toHaveLength(1);
    const address = new URL(at.page.url());
    expect(address.origin + address.pathname).toBe("https://github.com/login/oauth/authorize");
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: "client-7",
      state: "abcdefghijkl",
    });
    await at.go("/setting");
  });

  it("delete one's own account once its name was typed, and no sooner", async () => {
    await press("删除个人账户");
    await dialog().getByRole("button", { name: "确认删除" }).click();
    await dialog().getByText("请输入你的账户名以确认删除!").waitFor();
    await dialog().getByRole("textbox").fill("alic");
    await dialog().getByRole("button", { name: "确认删除" }).click();
    await dialog().getByText("请输入你的账户名以确认删除!").waitFor();
    expect(at.callsOf("DELETE ")).toEqual([]);
    await dialog().getByRole("textbox").fill("alice");
    await dialog().getByRole("button", { name: "确认删除" }).click();
    await at.toast("账户已删除!");
    await at.page.waitForURL("**/login");
    expect(at.callsOf("DELETE ")).toEqual(["DELETE /api/user/self"]);
    await expect.poll(() => at.page.evaluate("localStorage.getItem('user')")).toBeNull();
  });
});
