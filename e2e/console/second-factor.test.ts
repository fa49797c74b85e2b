import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appCode, waitForFreshCode } from "../authenticator";
import { brokenOn, isTooWide } from "./broken-rules";
import { newVisit, submitLogin } from "./visitor";

/* A person who sets up a second factor, and signs in with it, in a real browser. */

const PASSWORD = "password-1";

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  await addUser(await server.signIn(), server.signIn, "alice", { password: PASSWORD });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const secretOf = async (page: Page): Promise<string> =>
  ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");

it("is set up in the settings, and asked for at the next sign-in, also on a phone", async () => {
  await waitForFreshCode();
  const page = await newVisit(browser, { bypassCSP: true });
  await page.goto(`${server.url}/login`);
  await submitLogin(page, "alice", PASSWORD);
  await page.waitForURL("**/token");
  await page.goto(`${server.url}/setting`);
  await page.getByRole("button", { name: "启用", exact: true }).click();
  const window = page.getByRole("dialog", { name: "启用两步验证" });
  await window.getByRole("img", { name: "两步验证二维码" }).waitFor();
  const secret = await secretOf(page);
  const codes = await window.getByRole("region", { name: "备用码" }).getByRole("listitem").allTextContents();
  expect(codes).toHaveLength(8);
  expect(await brokenOn(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 640 });
  expect(await isTooWide(page)).toBe(false);
  await window.getByLabel("验证码").fill("000000");
  await page.keyboard.press("Enter");
  await window.getByText(/^验证码错误/).waitFor();
  await window.getByLabel("验证码").fill(appCode(secret));
  await page.keyboard.press("Enter");
  await page.getByText("剩余 8 个备用码").waitFor();
  await page.context().close();

  const phone = await newVisit(browser, { bypassCSP: true, viewport: { width: 360, height: 640 } });
  await phone.goto(`${server.url}/login`);
  await submitLogin(phone, "alice", PASSWORD);
  const field = phone.getByLabel("验证码");
  await field.waitFor();
  expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  expect(await brokenOn(phone)).toEqual([]);
  expect(await isTooWide(phone)).toBe(false);
  await field.fill(codes[0] ?? "");
  await phone.keyboard.press("Enter");
  await phone.waitForURL("**/token");
  await phone.goto(`${server.url}/setting`);
  await phone.getByText("剩余 7 个备用码").waitFor();
  await phone.context().close();
});

it("is set up before the first session where the site requires it", async () => {
  await waitForFreshCode();
  const root = await server.signIn();
  const begun = await root.api("POST", "/api/user/2fa/setup");
  const { secret: ofRoot } = begun.body.data as { secret: string };
  await root.api("POST", "/api/user/2fa/enable", { code: appCode(ofRoot, -1) });
  await addUser(root, server.signIn, "bob", { password: PASSWORD });
  await root.api("PUT", "/api/option/", { key: "SecondFactorRequired", value: "everyone" });
  const page = await newVisit(browser, { bypassCSP: true });
  await page.goto(`${server.url}/login`);
  await submitLogin(page, "bob", PASSWORD);
  await page.getByRole("heading", { name: "启用两步验证" }).waitFor();
  // The next person at this browser does not go on with what was begun.
  await page.getByRole("button", { name: "返回" }).click();
  const pending = async () =>
    (await page.context().cookies(`${server.url}/api/user/login`)).map(({ name }) => name);
  await expect.poll(pending).not.toContain("pending_sign_in");
  await submitLogin(page, "bob", PASSWORD);
  await page.getByRole("heading", { name: "启用两步验证" }).waitFor();
  expect(await pending()).toContain("pending_sign_in");
  const secret = await secretOf(page);
  expect(await brokenOn(page)).toEqual([]);
  await page.getByLabel("验证码").fill(appCode(secret));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/token");
  // Its owner cannot do without it.
  await page.goto(`${server.url}/setting`);
  await page.getByText("剩余 8 个备用码").waitFor();
  expect(await page.getByRole("button", { name: "关闭", exact: true }).count()).toBe(0);
  await page.context().close();
});
