import { addApiKey, addChannel, addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, type SignedIn, startServer } from "@tollgate/testkit/server-process";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, newVisit, unfoldSettings, watchCalls } from "./visitor";

let server: ServerProcess;
let upstream: FakeUpstream;
let browser: Browser;
let root: SignedIn;
let key: string;

beforeAll(async () => {
  [server, upstream, browser] = await Promise.all([startServer(), startFakeUpstream(), launchBrowser()]);
  root = await server.signIn();
  await addChannel(root, { base_url: upstream.url });
  const alice = await addUser(root, server.signIn, "alice", { quota: 10_000_000 });
  await addUser(root, server.signIn, "manager");
  await root.api("POST", "/api/user/manage", { username: "manager", action: "promote" });
  key = (await addApiKey(alice, { unlimited_quota: true })).key;
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.close();
});

const EVIL = '<img src=x onerror="window.hit = 1">';

/** @returns the request's id. */
const chat = async (more: Record<string, unknown> = {}): Promise<string> => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: EVIL }], ...more }),
  });
  await response.text();
  return response.headers.get("x-oneapi-request-id") ?? "";
};

const visit = async (username: string, width = 1280): Promise<Page> => {
  const page = await newVisit(browser, { viewport: { width, height: 900 } });
  await enter(page, server.url, username, username === "root" ? "123456" : "password-1");
  return page;
};

const openReceipt = async (page: Page, requestId: string) => {
  await page.goto(`${server.url}/log/receipt/${requestId}`);
  const section = page.getByRole("region", { name: "请求与应答的内容" });
  await section.waitFor();
  return section;
};

const option = async (key: string): Promise<string | undefined> =>
  ((await root.api("GET", "/api/option/")).body.data as { key: string; value: string }[]).find(
    (each) => each.key === key,
  )?.value;

const NOTICE = "本站目前会保存请求与应答的内容";
let requestId: string;

describe("bodies in the console", () => {
  it("are absent while storing is off, and the console shows no warning", async () => {
    const page = await visit("alice");
    const calls = watchCalls(page);
    const section = await openReceipt(page, await chat());
    await section.getByText("没有保存").waitFor();
    expect(await section.getByText("查看内容").count()).toBe(0);
    expect(calls.filter((call) => call.includes("/body"))).toEqual([]);
    for (const path of ["/token", "/log"]) {
      await page.goto(server.url + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.getByText(NOTICE).count()).toBe(0);
    }
    await page.context().close();
  });

  it("are switched on by root, who is asked first; an administrator sees the switch locked", async () => {
    const manager = await visit("manager");
    await manager.goto(`${server.url}/setting?tab=operation`);
    await unfoldSettings(manager);
    const locked = manager.getByRole("switch", { name: "保存请求与应答的内容" });
    await locked.waitFor();
    expect(await locked.isDisabled()).toBe(true);
    expect(await manager.getByRole("button", { name: "删除全部已保存的内容" }).count()).toBe(0);
    await manager.context().close();

    const page = await visit("root");
    await page.goto(`${server.url}/setting?tab=operation`);
    await unfoldSettings(page);
    const keeping = page.getByRole("switch", { name: "保存请求与应答的内容" });
    await keeping.click();
    const question = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await question.getByText("每个用户的提示词与得到的回答都会保存下来").waitFor();
    expect(await option("BodyLogEnabled")).toBe("false");
    await question.getByRole("button", { name: "确认保存" }).click();
    await expect.poll(() => keeping.getAttribute("aria-checked")).toBe("true");
    await page.locator('[name="BodyRetentionDays"]').fill("3");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect.poll(() => option("BodyRetentionDays")).toBe("3");
    // Beside it stands how long the log itself is kept.
    await page.locator('[name="LogRetentionDays"]').fill("400");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect.poll(() => option("LogRetentionDays")).toBe("400");
    await page.context().close();
  });

  it("are announced above the keys and above the log", async () => {
    const page = await visit("alice", 360);
    for (const path of ["/token", "/log"]) {
      await page.goto(server.url + path);
      await page.getByText(NOTICE).waitFor();
    }
    await page.context().close();
  });

  it("are read by their owner on the receipt, when it is unfolded: as text, and nothing else", async () => {
    requestId = await chat();
    const page = await visit("alice", 360);
    const calls = watchCalls(page);
    const section = await openReceipt(page, requestId);
    await section.getByText("只有你和超级管理员可以查看。").waitFor();
    expect(calls.filter((call) => call.includes("/body"))).toEqual([]);
    await section.getByText("查看内容").click();
    const asked = section.getByRole("textbox", { name: "请求" });
    await asked.waitFor();
    // On separate lines, unlike the sent one.
    expect(await asked.inputValue()).toContain('  "model": "gpt-3.5-turbo",\n');
    expect(JSON.parse(await asked.inputValue()).messages[0].content).toBe(EVIL);
    const given = await section.getByRole("textbox", { name: "应答" }).inputValue();
    expect(JSON.parse(given).choices[0].message.role).toBe("assistant");
    await section.getByText("HTTP 200 · application/json").waitFor();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(calls.filter((call) => call.includes("/body"))).toEqual([
      `GET /api/log/self/body?request_id=${requestId}`,
    ]);
    // Nothing sticks out at the side of a phone.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.context().close();
  });

  it.each(["light", "dark"] as const)(
    "break no serious rule of accessibility in the %s theme",
    async (colorScheme) => {
      const page = await newVisit(browser, { colorScheme, bypassCSP: true });
      await enter(page, server.url, "alice", "password-1");
      const section = await openReceipt(page, requestId);
      await section.getByText("查看内容").click();
      await section.getByRole("textbox", { name: "应答" }).waitFor();
      await page.evaluate(axe.source);
      const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as {
        id: string;
        impact: string | null;
      }[];
      const serious = findings.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id }) => id)).toEqual([]);
      await page.context().close();
    },
  );

  it("are copied by a button", async () => {
    const page = await visit("alice");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    const section = await openReceipt(page, requestId);
    await section.getByText("查看内容").click();
    await section.getByRole("region", { name: "请求" }).getByRole("button", { name: "复制" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toContain(JSON.stringify(EVIL));
    await page.context().close();
  });

  it("of a stream are its events as they went out; where they are cut, it is said", async () => {
    await root.api("PUT", "/api/option/", { key: "BodyMaxKilobytes", value: "1" });
    upstream.script({ text: "word ".repeat(200), pieces: 100 });
    const streamed = await chat({ stream: true });
    await root.api("PUT", "/api/option/", { key: "BodyMaxKilobytes", value: "256" });
    upstream.reset();
    const page = await visit("alice");
    const section = await openReceipt(page, streamed);
    await section.getByText("查看内容").click();
    const answer = section.getByRole("region", { name: "应答" });
    expect(await answer.getByRole("textbox").inputValue()).toMatch(/^data: \{/);
    await answer.getByText("只保存了开头。").waitFor();
    expect(await section.getByRole("region", { name: "请求" }).getByText("只保存了开头。").count()).toBe(0);
    await page.context().close();
  });

  it("are not an administrator's to read, but root's, who is told that it is written down", async () => {
    const manager = await visit("manager");
    const locked = await openReceipt(manager, requestId);
    await locked.getByText("查看内容").click();
    await locked.getByText("只有请求的所有者与超级管理员可以查看。").waitFor();
    await manager.context().close();

    const page = await visit("root");
    const section = await openReceipt(page, requestId);
    await section.getByText("打开它会记入审计日志").waitFor();
    const audited = async () =>
      ((await root.api("GET", "/api/audit/?p=0")).body.data as { action: string; target: string }[]).filter(
        ({ action }) => action === "body.read",
      );
    expect(await audited()).toEqual([]);
    await section.getByText("查看内容").click();
    await section.getByRole("textbox", { name: "应答" }).waitFor();
    expect(await audited()).toMatchObject([{ target: requestId }]);
    await page.context().close();
  });

  it("say when they cannot be fetched, and try again", async () => {
    const page = await visit("alice");
    await page.route("**/api/log/self/body*", (route) => route.abort());
    const section = await openReceipt(page, requestId);
    await section.getByText("查看内容").click();
    await section.getByRole("alert").waitFor();
    await page.unroute("**/api/log/self/body*");
    await section.getByRole("button", { name: "重试" }).click();
    await section.getByRole("textbox", { name: "请求" }).waitFor();
    await page.context().close();
  });

  it("are deleted by root, all at once", async () => {
    const page = await visit("root");
    await page.goto(`${server.url}/setting?tab=operation`);
    await unfoldSettings(page);
    await page.getByRole("button", { name: "删除全部已保存的内容" }).click();
    await page.getByRole("button", { name: "确认删除" }).click();
    await page.getByText("已删除 2 个请求的内容!").waitFor();
    const section = await openReceipt(page, requestId);
    await section.getByText("没有保存").waitFor();
    await page.context().close();
  });
});
