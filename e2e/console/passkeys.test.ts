import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { brokenOn, isTooWide } from "./broken-rules";
import { newVisit, submitLogin } from "./visitor";

/* Signing in with passkeys, in a real browser with a virtual authenticator. */

const PASSWORD = "password-1";

let server: ServerProcess;
let browser: Browser;
/** The address under which browsers allow passkeys: none belongs to a number. */
let site: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const root = await server.signIn();
  await addUser(root, server.signIn, "alice", { password: PASSWORD });
  await addUser(root, server.signIn, "bob", { password: PASSWORD });
  site = server.url.replace("127.0.0.1", "localhost");
  for (const [key, value] of Object.entries({ ServerAddress: site, PasskeyLoginEnabled: "true" }))
    await root.api("PUT", "/api/option/", { key, value });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Gives the page a device that makes passkeys. */
const withDevice = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
};

const signOut = async (page: Page): Promise<void> => {
  await page.context().clearCookies();
  await page.goto(`${site}/login`);
};

it("adds a passkey, signs in with it alone and after the password, and removes it", async () => {
  const page = await newVisit(browser, { bypassCSP: true });
  await withDevice(page);
  await page.goto(`${site}/login`);
  await submitLogin(page, "alice", PASSWORD);
  await page.waitForURL("**/token");
  await page.goto(`${site}/setting`);
  await page.getByRole("button", { name: "添加通行密钥" }).click();
  const window = page.getByRole("dialog", { name: "添加通行密钥" });
  expect(await brokenOn(page)).toEqual([]);
  await window.getByLabel("名称").fill("工作电脑");
  await page.keyboard.press("Enter");
  const list = page.getByRole("list", { name: "通行密钥" });
  await list.getByText("工作电脑").waitFor();
  await list.getByText("尚未使用").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  expect(await brokenOn(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  // The device has one already.
  await page.getByRole("button", { name: "添加通行密钥" }).click();
  await window.getByRole("button", { name: "继续" }).click();
  await page.getByText("此设备上已有你账户的通行密钥。").waitFor();

  await signOut(page);
  await page.getByRole("button", { name: "使用通行密钥登录" }).click();
  await page.waitForURL("**/token");

  await signOut(page);
  expect(await brokenOn(page)).toEqual([]);
  await submitLogin(page, "alice", PASSWORD);
  await page.getByRole("heading", { name: "使用通行密钥" }).waitFor();
  expect(await brokenOn(page)).toEqual([]);
  await page.getByRole("button", { name: "使用通行密钥" }).click();
  await page.waitForURL("**/token");

  await page.goto(`${site}/setting`);
  await list.getByText("最近使用").waitFor();
  await list.getByRole("button", { name: "重命名 工作电脑" }).click();
  const renaming = page.getByRole("dialog", { name: "重命名通行密钥" });
  await renaming.getByLabel("名称").fill("旧电脑");
  await page.keyboard.press("Enter");
  await list.getByRole("button", { name: "删除 旧电脑" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "删除", exact: true }).click();
  await list.waitFor({ state: "detached" });
  await signOut(page);
  await submitLogin(page, "alice", PASSWORD);
  await page.waitForURL("**/token");
  await page.context().close();
});

it("sets a passkey up at the sign-in where the site requires a second factor", async () => {
  const root = await newVisit(browser);
  await withDevice(root);
  await root.goto(`${site}/login`);
  await submitLogin(root, "root", "123456");
  await root.waitForURL((url) => !url.pathname.startsWith("/login"));
  await root.goto(`${site}/setting`);
  await root.getByRole("button", { name: "添加通行密钥" }).click();
  await root.getByRole("button", { name: "继续" }).click();
  await root.getByRole("list", { name: "通行密钥" }).waitFor();
  await root.evaluate(
    `fetch("/api/option/", { method: "PUT", headers: { "content-type": "application/json" },
      body: JSON.stringify({ key: "SecondFactorRequired", value: "everyone" }) })`,
  );
  const page = await newVisit(browser, { bypassCSP: true });
  await withDevice(page);
  await page.goto(`${site}/login`);
  await submitLogin(page, "bob", PASSWORD);
  await page.getByRole("heading", { name: "启用两步验证" }).waitFor();
  await page.getByRole("img", { name: "两步验证二维码" }).waitFor();
  expect(await brokenOn(page)).toEqual([]);
  await page.getByRole("button", { name: "添加通行密钥" }).click();
  await page.waitForURL("**/token");
  await page.context().close();
  await root.context().close();
});
