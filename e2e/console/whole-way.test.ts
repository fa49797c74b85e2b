import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import OpenAI from "openai";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeConnect, fieldOf, newVisit, submitLogin } from "./visitor";

let server: ServerProcess;
let upstream: FakeUpstream;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, upstream, browser] = await Promise.all([startServer(), startFakeUpstream(), launchBrowser()]);
  page = await newVisit(browser);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.close();
});

/** The quota of the signed-in user, as the API knows it. */
const readQuota = async (): Promise<number> => {
  const root = await server.signIn();
  return ((await root.api("GET", "/api/user/self")).body.data as { quota: number }).quota;
};

describe("the whole way", () => {
  it("from signing in to a charge that the log explains", async () => {
    // A person opens the console and signs in.
    await page.goto(`${server.url}/channel`);
    await page.waitForURL("**/login**");
    await submitLogin(page, "root", "123456");
    await page.waitForURL("**/user/edit**");

    // Adds a channel.
    await page.getByRole("link", { name: "渠道", exact: true }).click();
    await page.getByRole("link", { name: "添加新的渠道" }).first().click();
    // The list has a filter of the same name.
    await page.waitForURL("**/channel/add");
    await page.getByLabel("类型").click();
    await page.getByRole("option", { name: "自定义渠道" }).click();
    await page.getByRole("textbox", { name: "名称", exact: true }).fill("假上游");
    await page.getByLabel("Base URL").fill(upstream.url);
    await page.getByRole("button", { name: "填入基础模型" }).click();
    await fieldOf(page, "密钥").fill("upstream-key");
    await page.getByRole("button", { name: "提交" }).click();
    await page.waitForURL("**/channel");
    await page.getByRole("cell", { name: "假上游", exact: true }).waitFor();

    // Creates a key.
    await page.getByRole("link", { name: "令牌", exact: true }).click();
    await page.getByRole("link", { name: "添加新的令牌" }).click();
    await page.getByRole("textbox", { name: "名称", exact: true }).fill("笔记本");
    await page.getByRole("button", { name: "提交" }).click();
    await page.waitForURL("**/token");
    await closeConnect(page);
    await page.getByRole("link", { name: "笔记本", exact: true }).waitFor();
    const root = await server.signIn();
    const tokens = (await root.api("GET", "/api/token/?p=0")).body.data as { key: string }[];

    // A program sends requests with the official client.
    const client = new OpenAI({ apiKey: `sk-${tokens[0]?.key}`, baseURL: `${server.url}/v1`, maxRetries: 0 });
    const before = await readQuota();
    const whole = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
    });
    expect(whole.choices[0]?.message.content).not.toBe("");
    // 13 prompt and 5 completion tokens: ceil((13 + 5 × 3) × 0.25) = 7.
    expect(before - (await readQuota())).toBe(7);

    const stream = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    let streamed = "";
    for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? "";
    expect(streamed).toBe(whole.choices[0]?.message.content);
    expect(before - (await readQuota())).toBe(14);

    // The usage log shows why.
    await page.getByRole("link", { name: "日志", exact: true }).click();
    const rows = page.getByRole("row").filter({ hasText: "gpt-3.5-turbo" });
    await expect.poll(() => rows.count()).toBe(2);
    const row = await rows.first().textContent();
    expect(row).toContain("笔记本");
    expect(row).toContain("13");
    expect(row).toContain("$0.000014");
    expect(row).toContain("模型倍率 0.25，分组倍率 1.00");
  });
});
