import { launchBrowser } from "@tollgate/testkit/browser";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Asked, type GatewayStage, startGatewayStage } from "./gateway-stage";
import { enter, newVisit } from "./visitor";

let stage: GatewayStage;
let browser: Browser;
let asked: Asked;
let other: Asked;
let key: string;
let channelId: number;

beforeAll(async () => {
  [stage, browser] = await Promise.all([startGatewayStage(), launchBrowser()]);
  await stage.setOption("BodyLogEnabled", "true");
  channelId = await stage.addChannel({ type: 14, models: "claude-2" });
  key = await stage.addKey({ name: "laptop" });
  const messages = [{ role: "user", content: "it's a question" }];
  asked = await stage.ask(key, { model: "claude-2", messages, seed: 7, max_tokens: 20 });
  other = await stage.ask(key, {
    model: "claude-2",
    messages: [{ role: "user", content: "another question" }],
    seed: 7,
  });
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const bodyOf = (page: Page) => page.getByRole("region", { name: "请求与应答的内容" });

describe("a receipt with stored content", () => {
  it("shows its owner the command without the key, and what became of the fields", async () => {
    const page = stage.customer;
    await stage.openReceipt(asked, page);
    await bodyOf(page).getByText("curl 命令（不含令牌）").click();
    const command = bodyOf(page).getByRole("group", { name: "curl 命令（不含令牌）" });
    await command.waitFor();
    const text = (await command.textContent()) ?? "";
    expect(text).toContain(`curl --globoff '${stage.server.url}/v1/chat/completions'`);
    expect(text).toContain("$API_KEY");
    expect(text).toContain(String.raw`it'\''s a question`);
    expect(text).not.toContain(key);

    await bodyOf(page).getByText("转换时改了什么").click();
    const table = bodyOf(page).getByRole("region", { name: "转换时改了什么" });
    await table.getByRole("row").filter({ hasText: "已去除" }).filter({ hasText: "seed" }).waitFor();
    expect(await table.textContent()).not.toContain("发往上游");
  });

  it("is sent again with the owner's key, after a question, and charged like any request", async () => {
    const page = stage.customer;
    await stage.openReceipt(asked, page);
    const before = stage.upstream.requests.length;
    await bodyOf(page).getByText("重新发送", { exact: true }).click();
    await bodyOf(page).getByRole("button", { name: "重新发送" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText(/计入你的令牌“laptop”/).waitFor();
    expect(stage.upstream.requests).toHaveLength(before);
    await question.getByRole("button", { name: "发送", exact: true }).click();
    await bodyOf(page).getByText("已得到应答。").waitFor();
    expect(stage.upstream.requests).toHaveLength(before + 1);
    await bodyOf(page).getByRole("link", { name: "查看新的回执" }).click();
    const summary = page.getByRole("region", { name: "概要" });
    await summary.getByText("laptop").waitFor();
    expect(page.url()).not.toContain(asked.requestId);
  });

  it("is sent by root to a channel of their choice, with root's key", async () => {
    await stage.addKey({ name: "root-key" }, stage.root as never);
    const { page } = stage;
    await stage.openReceipt(asked, page);
    await bodyOf(page).getByText("转换时改了什么").click();
    await bodyOf(page).getByText("发往上游", { exact: true }).waitFor();
    await bodyOf(page).getByText("重新发送", { exact: true }).click();
    await bodyOf(page).getByLabel("渠道编号").fill("999");
    const send = async () => {
      await bodyOf(page).getByRole("button", { name: "重新发送" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "发送", exact: true }).click();
    };
    await send();
    await bodyOf(page)
      .getByText(/请求被拒绝（HTTP \d+）/)
      .waitFor();
    await bodyOf(page).getByLabel("渠道编号").fill(String(channelId));
    await send();
    await bodyOf(page).getByText("已得到应答。").waitFor();
  });

  it("is compared with another request, line by line and field by field", async () => {
    const page = stage.customer;
    await stage.openReceipt(asked, page);
    const compare = page.getByRole("region", { name: "与其他请求比较" });
    await compare.getByRole("link", { name: new RegExp(other.requestId) }).click();
    await compare.getByRole("columnheader", { name: other.requestId }).waitFor();
    expect(new URL(page.url()).searchParams.get("with")).toBe(other.requestId);
    await compare.getByText("两个请求的字段").click();
    const fields = compare.getByRole("region", { name: "两个请求的字段" });
    await fields.getByRole("row").filter({ hasText: "max_tokens" }).waitFor();
    expect(await fields.textContent()).toContain("another question");
  });

  it.each([
    [360, "dark"],
    [1440, "light"],
  ] as const)("is accessible and fits %d px, %s", async (width, colorScheme) => {
    const page = await newVisit(browser, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    await enter(page, stage.server.url, "carol", "password-1");
    await page.goto(`${stage.server.url}/log/receipt/${asked.requestId}?with=${other.requestId}`);
    for (const part of ["curl 命令（不含令牌）", "转换时改了什么", "重新发送"])
      await bodyOf(page).getByText(part, { exact: true }).first().click();
    await bodyOf(page).getByRole("region", { name: "转换时改了什么" }).waitFor();
    await bodyOf(page).getByRole("group", { name: "curl 命令（不含令牌）" }).waitFor();
    await page.getByRole("columnheader", { name: other.requestId }).waitFor();
    await page.evaluate(axe.source);
    const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as {
      id: string;
    }[];
    expect(findings.map(({ id }) => id)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.context().close();
  });
});
