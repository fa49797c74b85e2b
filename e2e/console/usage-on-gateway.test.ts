import { addApiKey, addChannel, addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, type SignedIn, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, newVisit } from "./visitor";

const MODEL = "gpt-3.5-turbo";

let server: ServerProcess;
let upstream: FakeUpstream;
let browser: Browser;
let page: Page;
let alice: SignedIn & { id: number };
let key: string;

/** Asks the gateway once. @returns the id that its answer carries. */
const ask = async (more: Record<string, unknown> = {}): Promise<string> => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "hi" }], ...more }),
  });
  await response.text();
  return response.headers.get("x-oneapi-request-id") ?? "";
};

beforeAll(async () => {
  [server, upstream, browser] = await Promise.all([startServer(), startFakeUpstream(), launchBrowser()]);
  const root = await server.signIn();
  await root.api("PUT", "/api/option/", { key: "RetryTimes", value: "1" });
  await addChannel(root, { name: "first", base_url: upstream.url, priority: 5 });
  await addChannel(root, { name: "second", base_url: upstream.url, priority: 1 });
  alice = await addUser(root, server.signIn, "alice", { quota: 1_000_000 });
  key = (await addApiKey(alice, { name: "laptop" })).key;
  page = await newVisit(browser);
  await enter(page, server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.close();
});

const tile = (at: Page, name: string) =>
  at.getByRole("region", { name: "关键数字" }).getByRole("button", { name: new RegExp(`^${name}`) });

/** What a big number and its note say; the parts of a note are held together by spaces that do not break. */
const textOf = async (at: Page, name: string): Promise<string> =>
  ((await tile(at, name).textContent()) ?? "").replaceAll("\u00a0", " ");

/** Opens the dashboard until it has heard of so many requests: the sums follow a moment after the answers. */
const openDashboard = async (at: Page, requests: number): Promise<void> => {
  await expect
    .poll(async () => {
      await at.goto(`${server.url}/dashboard?range=24h`);
      return tile(at, "请求")
        .textContent({ timeout: 5000 })
        .catch(() => "");
    })
    .toContain(`请求${requests}成功`);
};

describe("requests through the gateway", () => {
  let retried: string;
  let failed: string;

  beforeAll(async () => {
    upstream.script({ fault: "500" }, {});
    retried = await ask();
    upstream.script({});
    await ask({ stream: true, stream_options: { include_usage: true } });
    upstream.script({ fault: "500" });
    failed = await ask();
    upstream.reset();
  });

  it("are on the dashboard: two answered, one failed, with cost and users", async () => {
    await openDashboard(page, 3);
    expect(await textOf(page, "请求")).toContain("成功 2");
    expect(await textOf(page, "失败")).toContain("失败率 33.3%");
    // Twice 13 prompt and 5 completion tokens: 2 × ceil((13 + 5 × 3) × 0.25) = 14.
    expect(await textOf(page, "token 用量")).toContain("36输入 26 · 输出 10");
    expect(await textOf(page, "消耗额度")).toContain("$0.000028");
    for (const [ranking, name] of [
      ["模型排行", MODEL],
      ["用户排行", "alice"],
      ["渠道排行", "second"],
    ] as const)
      await page.getByRole("region", { name: ranking }).getByRole("link", { name, exact: true }).waitFor();
    // A key of another person has no page for the reader.
    await page.getByRole("region", { name: "令牌排行" }).getByText("laptop", { exact: true }).waitFor();
    const table = page.getByRole("table", { name: `请求 · 模型` });
    expect(await table.getByRole("row").count()).toBe(25);
    expect(await table.getByRole("row").last().textContent()).toMatch(/:00（未完成）(3|2|1|0)/);
  });

  it("have receipts, which the log leads to, with the way over the second channel", async () => {
    await page.goto(`${server.url}/log`);
    await page.getByRole("link", { name: `查看请求 ${retried} 的回执` }).click();
    const attempts = page.getByRole("region", { name: "这个请求去了哪里" }).getByRole("listitem");
    await expect.poll(() => attempts.count()).toBe(2);
    expect(await attempts.first().textContent()).toMatch(/渠道 #1 first.*HTTP 500/);
    expect(await attempts.last().textContent()).toMatch(/渠道 #2 second成功HTTP 200/);
    const cost = await page.getByRole("region", { name: "为什么是这个价格" }).textContent();
    expect(cost).toContain("输入13上游报告");
    expect(cost).toContain("= 7");
    expect(cost).toContain("$0.000014");
  });

  it("have receipts when they failed, which cost nothing", async () => {
    await page.goto(`${server.url}/log/receipt/${failed}`);
    const summary = page.getByRole("region", { name: "概要" });
    await summary.waitFor();
    expect(await summary.textContent()).toContain("失败");
    expect(await summary.textContent()).toContain("$0.000000");
    expect(await page.getByRole("region", { name: "这个请求去了哪里" }).getByRole("listitem").count()).toBe(
      2,
    );
  });

  it("are their owner's to see, without the channels", async () => {
    const owner = await newVisit(browser);
    await enter(owner, server.url, "alice", "password-1");
    await openDashboard(owner, 3);
    await owner.goto(`${server.url}/log/receipt/${retried}`);
    const where = owner.getByRole("region", { name: "这个请求去了哪里" });
    await where.waitFor();
    expect(await where.getByRole("listitem").count()).toBe(2);
    expect(await where.textContent()).not.toMatch(/first|second|渠道/);
    await owner.context().close();
  });
});
