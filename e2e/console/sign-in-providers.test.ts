import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenIdProvider, startOpenIdProvider } from "../open-id-provider";
import { enter, fieldOf, newVisit } from "./visitor";

/* Root adds a provider; a newcomer signs in with it, and a user binds and unbinds it, in a real browser. */

const PASSWORD = "password-1";

let server: ServerProcess;
let browser: Browser;
let provider: OpenIdProvider;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  provider = await startOpenIdProvider([`${server.url}/oauth/acme`]);
  const root = await server.signIn();
  await root.api("PUT", "/api/option/", { key: "ServerAddress", value: server.url });
  await addUser(root, server.signIn, "alice", { password: PASSWORD });
});

afterAll(async () => {
  await browser?.close();
  await provider?.close();
  await server?.stop();
});

/** Whether anything is wider than the screen. */
const isTooWide = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

it("is added by root in the settings, on a phone as well", async () => {
  const page = await newVisit(browser, { viewport: { width: 360, height: 780 } });
  await enter(page, server.url);
  await page.goto(`${server.url}/setting?tab=system`);
  await page.getByRole("button", { name: "添加提供方" }).click();
  const window = page.getByRole("dialog", { name: "添加提供方" });
  await fieldOf(page, "名称").fill("云岭 SSO");
  await fieldOf(page, "短名称").fill("acme");
  await fieldOf(page, "Issuer").fill("http://127.0.0.1:9");
  await fieldOf(page, "Client ID").fill(provider.clientId);
  await window.getByRole("button", { name: "保存" }).click();
  await window.getByText("该 Issuer 未提供可用的 OpenID 配置").waitFor();
  await fieldOf(page, "Issuer").fill(provider.url);
  await fieldOf(page, "Client Secret").fill(provider.clientSecret);
  expect(await isTooWide(page)).toBe(false);
  await window.getByRole("button", { name: "保存" }).click();
  await window.waitFor({ state: "hidden" });
  const card = page.getByRole("region", { name: "企业登录" });
  await card.getByText("云岭 SSO").waitFor();
  await card.getByText(`${server.url}/oauth/acme`).waitFor();
  expect(await page.content()).not.toContain(provider.clientSecret);
  expect(await isTooWide(page)).toBe(false);
  await page.context().close();
});

it("signs a newcomer in by its button", async () => {
  provider.person = { sub: "newcomer", name: "小云", email: "yun@example.com", email_verified: true };
  const page = await newVisit(browser);
  await page.goto(`${server.url}/login`);
  await page.getByRole("button", { name: /云岭 SSO/ }).click();
  await page.waitForURL(`${server.url}/`);
  await page.goto(`${server.url}/setting`);
  const card = page.getByRole("region", { name: "账户绑定" });
  await card.getByText("newcomer").waitFor();
  // The only way in of a person without a password.
  await card.getByRole("button", { name: "解绑 云岭 SSO 账户" }).click();
  const window = page.getByRole("dialog", { name: "解绑 云岭 SSO 账户" });
  await window.getByLabel("密码").fill("not-the-password");
  await window.getByRole("button", { name: "解绑", exact: true }).click();
  await window.getByText(/密码/).nth(1).waitFor();
  await page.keyboard.press("Escape");
  await card.getByText("newcomer").waitFor();
  await page.context().close();
});

it("is bound and unbound by a user", async () => {
  provider.person = { sub: "alice-there", name: "Alice" };
  const page = await newVisit(browser);
  await enter(page, server.url, "alice", PASSWORD);
  await page.goto(`${server.url}/setting`);
  const card = page.getByRole("region", { name: "账户绑定" });
  await card.getByRole("button", { name: "绑定 云岭 SSO 账户", exact: true }).click();
  await page.waitForURL(/\/setting/);
  await card.getByText("alice-there").waitFor();
  await card.getByRole("button", { name: "解绑 云岭 SSO 账户" }).click();
  const window = page.getByRole("dialog", { name: "解绑 云岭 SSO 账户" });
  await window.getByLabel("密码").fill(PASSWORD);
  await window.getByRole("button", { name: "解绑", exact: true }).click();
  await window.waitFor({ state: "hidden" });
  await card.getByText("alice-there").waitFor({ state: "hidden" });
  await page.context().close();
});

it("says when it does not answer, and is removed with the number of its accounts", async () => {
  provider.isDown = true;
  const guest = await newVisit(browser);
  await guest.goto(`${server.url}/login`);
  await guest.getByRole("button", { name: /云岭 SSO/ }).click();
  await guest.getByText("无法连接至 云岭 SSO 服务器").waitFor();
  await guest.context().close();
  const page = await newVisit(browser);
  await enter(page, server.url);
  await page.goto(`${server.url}/setting?tab=system`);
  const card = page.getByRole("region", { name: "企业登录" });
  await card
    .getByRole("button", { name: /更多|云岭 SSO/ })
    .last()
    .click();
  await page.getByRole("menuitem", { name: "删除" }).click();
  const question = page.getByRole("alertdialog", { name: "删除 云岭 SSO？" });
  await question.getByText("已绑定账户数：1").waitFor();
  await question.getByRole("button", { name: "删除" }).click();
  await card.getByText("尚无提供方").waitFor();
  await page.context().close();
});
