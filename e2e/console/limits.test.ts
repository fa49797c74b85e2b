import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, type SignedIn, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enter, jsonFieldOf, newVisit, unfoldSettings } from "./visitor";

let server: ServerProcess;
let browser: Browser;
let root: SignedIn;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  root = await server.signIn();
  await addUser(root, server.signIn, "carol");
  page = await newVisit(browser, { viewport: { width: 360, height: 800 } });
  await enter(page, server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const newestToken = async (): Promise<ApiKeyWire | undefined> =>
  ((await root.api("GET", "/api/token/?p=0")).body.data as ApiKeyWire[])[0];

const number = (name: string) => page.getByRole("spinbutton", { name, exact: true });
const text = (name: string) => page.getByRole("textbox", { name, exact: true });
const submit = () => page.getByRole("button", { name: "提交", exact: true }).click();
const done = () => page.getByText("操作成功完成!").last().waitFor();

it("folds a key's limits away, takes them by keyboard, and sends them only when they were used", async () => {
  await page.goto(`${server.url}/token/add`);
  await text("名称").fill("plain");
  expect(await number("每分钟请求数").count()).toBe(0);
  await submit();
  await done();
  expect(Object.keys((await newestToken()) ?? {})).toHaveLength(11);

  await page.goto(`${server.url}/token/add`);
  await text("名称").fill("bounded");
  await page.locator("summary").focus();
  await page.keyboard.press("Enter");
  await text("允许的模型").fill("gpt-4, gpt-5");
  await text("允许的地址").fill("home");
  await number("每分钟请求数").fill("60");
  await text("每日预算").fill("1");
  await page.getByText("合 500,000 点额度").waitFor();
  const isWiderThanPage = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  expect(await page.evaluate(isWiderThanPage)).toBe(false);
  await submit();
  await page.getByText("home 不是 IP 地址或网段").first().waitFor();
  expect(await text("允许的地址").getAttribute("aria-invalid")).toBe("true");
  await text("允许的地址").fill("127.0.0.1\n10.0.0.0/8");
  await submit();
  await page.waitForURL("**/token");
  expect(await newestToken()).toMatchObject({
    name: "bounded",
    models: "gpt-4,gpt-5",
    rpm: 60,
    daily_quota: 500_000,
    subnet: "127.0.0.1,10.0.0.0/8",
  });
});

it("shows at the field why the server refuses a form, and keeps everything typed", async () => {
  const mistakeAt = async (name: string) => {
    await text(name).and(page.locator("[aria-invalid=true]:focus")).waitFor();
  };
  await page.goto(`${server.url}/user/add`);
  await text("用户名").fill("carol");
  await page.getByLabel("密码").fill("password-9");
  await submit();
  await mistakeAt("用户名");
  await page.getByText("用户名已被占用").first().waitFor();
  expect(await page.getByLabel("密码").inputValue()).toBe("password-9");

  const name = 'odd, % "name" 😀';
  await page.goto(`${server.url}/channel/add`);
  await text("名称").fill(name);
  await text("密钥").fill("sk-秘密");
  await page.getByRole("button", { name: "填入所有模型" }).click();
  await submit();
  await mistakeAt("密钥");
  await text("密钥").fill("sk-usable");
  expect(await text("密钥").getAttribute("aria-invalid")).toBeNull();
  await text("代理地址（Base URL）").fill("ftp://nowhere");
  await submit();
  await mistakeAt("代理地址（Base URL）");
  expect(await text("名称").inputValue()).toBe(name);
});

it("unfolds set limits, and removes an emptied one", async () => {
  const token = await newestToken();
  await page.goto(`${server.url}/token/edit/${token?.id}`);
  expect(await number("每分钟请求数").inputValue()).toBe("60");
  await number("每分钟请求数").fill("-1");
  await submit();
  await page.getByText("请输入不小于 0 的整数").waitFor();
  await number("每分钟请求数").fill("");
  await text("允许的模型").fill("gpt-4");
  await submit();
  await page.waitForURL("**/token");
  const changed = await newestToken();
  expect(changed).toMatchObject({ models: "gpt-4", daily_quota: 500_000 });
  expect(changed).not.toHaveProperty("rpm");
});

it("bounds a user, and a group in the settings", async () => {
  const [carol] = (await root.api("GET", "/api/user/search?keyword=carol")).body.data as { id: number }[];
  await page.goto(`${server.url}/user/edit/${carol?.id}`);
  await page.locator("summary", { hasText: "高级选项" }).click();
  await number("同时请求数").fill("3");
  await submit();
  await done();
  expect((await root.api("GET", `/api/user/${carol?.id}`)).body.data).toMatchObject({ concurrency: 3 });

  await page.goto(`${server.url}/setting?tab=operation`);
  await unfoldSettings(page);
  const groups = await jsonFieldOf(page, "分组限制");
  await groups.fill('{"vip": {"rps": 1}}');
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.getByText("vip.rps").first().waitFor();
  await groups.fill('{"vip": {"rpm": 600}}');
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await done();
  const options = (await root.api("GET", "/api/option/")).body.data as { key: string; value: string }[];
  expect(options.find(({ key }) => key === "GroupLimits")?.value).toBe('{"vip": {"rpm": 600}}');
});
