import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actOnRow, enter, fieldOf, newVisit } from "./visitor";

let server: ServerProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const root = await server.signIn();
  for (let number = 1; number <= 11; number += 1) await addUser(root, server.signIn, `user${number}`);
  page = await newVisit(browser);
  await enter(page, server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const rowOf = (text: string) => page.getByRole("row").filter({ hasText: text }).first();

/** The next request of this method to a path that starts so. */
const call = (method: string, path: string): Promise<Request> =>
  page.waitForRequest(
    (request) => request.method() === method && request.url().startsWith(server.url + path),
  );
const address = async (request: Promise<Request>): Promise<string> =>
  (await request).url().slice(server.url.length);
const dataOf = async (request: Promise<Request>): Promise<unknown> => {
  const response = await (await request).response();
  const { data } = JSON.parse((await response?.text()) ?? "{}") as { data?: unknown };
  return data;
};

describe("the calls for users", () => {
  it("list them page by page from 0, and search by a keyword", async () => {
    const first = call("GET", "/api/user/?p=0");
    const second = call("GET", "/api/user/?p=1");
    await page.goto(`${server.url}/user`);
    expect(await address(first)).toBe("/api/user/?p=0");
    await rowOf("user11").waitFor();
    await button("下一页").click();
    expect(await address(second)).toBe("/api/user/?p=1");
    const search = call("GET", "/api/user/search");
    await page.getByRole("searchbox").fill("user3");
    await page.getByRole("searchbox").press("Enter");
    expect(await address(search)).toBe("/api/user/search?keyword=user3&p=0");
    await rowOf("user3").waitFor();
  });

  it.each([
    ["promote", "提升", { status: 1, role: 10 }],
    ["demote", "降级", { status: 1, role: 1 }],
    ["disable", "禁用", { status: 2, role: 1 }],
    ["enable", "启用", { status: 1, role: 1 }],
  ])("manage one: %s", async (action, label, data) => {
    await page.goto(`${server.url}/user?q=user3`);
    const manage = call("POST", "/api/user/manage");
    await actOnRow(rowOf("user3"), label);
    if (action.endsWith("mote")) await button(`${label}用户 user3`).click();
    expect((await manage).postDataJSON()).toEqual({ username: "user3", action });
    expect(await dataOf(manage)).toMatchObject(data);
  });

  it("manage one: delete", async () => {
    await page.goto(`${server.url}/user?q=user4`);
    await actOnRow(rowOf("user4"), "删除");
    const manage = call("POST", "/api/user/manage");
    await button("删除用户 user4").click();
    expect((await manage).postDataJSON()).toEqual({ username: "user4", action: "delete" });
  });

  it("read one and the groups, and save it with its id", async () => {
    const one = call("GET", "/api/user/3");
    const groups = call("GET", "/api/group/");
    await page.goto(`${server.url}/user/edit/3`);
    expect(await address(one)).toBe("/api/user/3");
    expect(await dataOf(groups)).toEqual(expect.arrayContaining(["default", "vip", "svip"]));
    await fieldOf(page, "显示名称").fill("renamed");
    const save = call("PUT", "/api/user/");
    await button("提交").click();
    expect(await address(save)).toBe("/api/user/");
    expect((await save).postDataJSON()).toMatchObject({ id: 3, display_name: "renamed" });
  });

  it("read and save one's own account", async () => {
    const self = call("GET", "/api/user/self");
    await page.goto(`${server.url}/user/edit`);
    expect(await dataOf(self)).toHaveProperty("quota", expect.any(Number));
    await fieldOf(page, "显示名称").fill("Root himself");
    const save = call("PUT", "/api/user/self");
    await button("提交").click();
    expect((await save).postDataJSON()).toMatchObject({ display_name: "Root himself" });
  });

  it("add one", async () => {
    await page.goto(`${server.url}/user/add`);
    await fieldOf(page, "用户名").fill("added");
    await fieldOf(page, "显示名称").fill("Added");
    await fieldOf(page, "密码").fill("password-5");
    const add = call("POST", "/api/user/");
    await button("提交").click();
    expect((await add).postDataJSON()).toEqual({
      username: "added",
      display_name: "Added",
      password: "password-5",
    });
  });

  it("redeem a code, whose answer is the quota added", async () => {
    const root = await server.signIn();
    const made = await root.api("POST", "/api/redemption/", { name: "gift", quota: 777, count: 1 });
    const [key] = made.body.data as string[];
    await page.goto(`${server.url}/topup`);
    await fieldOf(page, "兑换码").fill(key ?? "");
    const redeem = call("POST", "/api/user/topup");
    await button("兑换").click();
    expect((await redeem).postDataJSON()).toEqual({ key });
    expect(await dataOf(redeem)).toBe(777);
  });
});
