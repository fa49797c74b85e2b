import { launchBrowser } from "@tollgate/testkit/browser";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import OpenAI from "openai";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StandIn, startStandIn } from "../api/management/stand-in";
import { newVisit } from "./visitor";

const PASSWORD = "roots-own-password";
const UPSTREAM_KEY = "sk-of-the-upstream";
const MODELS = ["text-embedding-3-small", "a-model-without-a-price", "gpt-4o-mini", "gpt-4o"];

let server: ServerProcess;
let upstream: StandIn;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser, upstream] = await Promise.all([
    startServer({ dataDir: createDataDir(), env: { LOG_LEVEL: "error", ALLOW_DEFAULT_PASSWORD: "" } }),
    launchBrowser(),
    startStandIn(({ path, headers, body }) => {
      if (headers.authorization !== `Bearer ${UPSTREAM_KEY}`)
        return { status: 401, body: { error: { message: "wrong key", code: "invalid_api_key" } } };
      if (path === "/v1/models") return { body: { data: MODELS.map((id) => ({ id })) } };
      return {
        body: {
          id: "chatcmpl-1",
          object: "chat.completion",
          created: 1,
          model: (JSON.parse(body) as { model: string }).model,
          choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
          usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
        },
      };
    }),
  ]);
  page = await newVisit(browser);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.close();
});

it("a gateway that has nothing answers its first request after a password, a pasted key and two clicks", async () => {
  const begunMs = Date.now();
  let clicks = 0;
  const click = async (name: string) => {
    clicks += 1;
    await page.getByRole("button", { name, exact: true }).click();
  };
  await page.goto(/http:\S+\/setup#\w+/.exec(server.stdout)?.[0] ?? "no link");
  await page.getByLabel("新密码").fill(PASSWORD);
  await page.getByLabel("确认密码").fill(PASSWORD);
  await click("设置密码并登录");
  await page.waitForURL("**/start");

  // A key that the upstream refuses leaves nothing behind.
  const key = page.getByLabel("上游密钥");
  await key.fill(`OPENAI_BASE_URL=${upstream.url}/v1\nOPENAI_API_KEY=sk-wrong`);
  await page.getByRole("button", { name: "接入并测试" }).click();
  await page.getByText("上游拒绝了该密钥：HTTP 401").waitFor();

  await key.fill(`OPENAI_BASE_URL=${upstream.url}/v1\nOPENAI_API_KEY=${UPSTREAM_KEY}`);
  await click("接入并测试");
  await page.getByText(/gpt-4o-mini 在 .* 秒内应答/).waitFor();
  await page.getByText("4 个模型中有 3 个已有价格").waitFor();
  await page.getByText("令牌“我的第一个令牌”可用").waitFor();
  await page.getByText("等待第一个请求……").waitFor();

  // A program takes key and model from the page.
  const snippet = (await page.locator("pre").first().textContent()) ?? "";
  const apiKey = /Bearer (sk-\w+)/.exec(snippet)?.[1] ?? "";
  const model = /"model": "([^"]+)"/.exec(snippet)?.[1] ?? "";
  const address = /curl (\S+)\/chat\/completions/.exec(snippet)?.[1];
  expect(new URL(address ?? "").port).toBe(new URL(server.url).port);
  const client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const answer = await client.chat.completions.create({ model, messages: [{ role: "user", content: "Hi" }] });
  expect(answer.choices[0]?.message.content).toBe("Hello!");

  await page.getByText("收到第一个应答。").waitFor();
  await page.getByText("gpt-4o-mini：输入 9，输出 3 token").waitFor();
  expect(clicks).toBe(2);
  expect(Date.now() - begunMs).toBeLessThan(120_000);
  await page.getByRole("link", { name: "查看回执" }).click();
  await page.getByRole("heading", { name: "请求回执" }).waitFor();

  const signedIn = await server.signIn("root", PASSWORD);
  const { data: channels } = (await signedIn.api("GET", "/api/channel/?p=0")).body as { data: unknown[] };
  expect(channels).toMatchObject([
    { type: 8, base_url: `${upstream.url}/v1`, models: MODELS.toSorted().join(",") },
  ]);
});
