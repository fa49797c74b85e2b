import { readFileSync } from "node:fs";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayStage, startGatewayStage } from "./gateway-stage";
import { enter, newVisit, readStorage } from "./visitor";

/* A user tries models on the page, and sees what each answer cost. */

let stage: GatewayStage;
let page: Page;
/** Addresses outside of the gateway that the page has fetched. */
const foreign: string[] = [];
const failures: string[] = [];

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const HOSTILE = [
  "# Title",
  "<script>window.hacked = true</script><img src=x onerror='window.hacked = true'>",
  "![pixel](https://tracker.example/pixel.png)",
  "[click](javascript:window.hacked=true) [site](https://example.com/)",
  "<a href='javascript:window.hacked=true'>html</a> <iframe src='https://tracker.example/'></iframe>",
  "```js\nconst answer = 42;\n```",
].join("\n\n");

beforeAll(async () => {
  stage = await startGatewayStage();
  await stage.addChannel({ type: 1, models: "gpt-3.5-turbo,gpt-4o,tts-1,dall-e-2,text-embedding-3-small" });
  page = stage.customer;
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== stage.server.url) foreign.push(request.url());
  });
  page.on("pageerror", (error) => failures.push(String(error)));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) failures.push(message.text());
  });
});

afterAll(() => stage?.close());

beforeEach(() => stage.upstream.reset());

const messageField = (): Locator => page.getByRole("textbox", { name: "消息", exact: true });
const answers = (): Locator =>
  page.getByRole("list", { name: "对话", exact: true }).locator("article[aria-label]");

const openChat = async (): Promise<void> => {
  await stage.open("/playground", page);
  await messageField().waitFor();
};

const ask = async (text: string): Promise<void> => {
  await messageField().fill(text);
  await messageField().press("Enter");
};

const balance = async (): Promise<number> => {
  const { body } = await stage.carol.api("GET", "/api/user/self");
  return (body.data as { quota: number }).quota;
};

const faultsOf = async (at: Page): Promise<string[]> => {
  await at.evaluate(axe.source);
  const { violations } = (await at.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};

describe("a chat", () => {
  it("is sent with Enter, streams, and leads to its receipt", async () => {
    const before = await balance();
    await openChat();
    await messageField().press("Shift+Enter");
    expect(await messageField().inputValue()).toBe("\n");
    await ask("你好");
    await answers().getByText("你好，世界").waitFor();
    const [request] = stage.upstream.requests;
    expect(request?.body).toMatchObject({
      model: "gpt-3.5-turbo",
      stream: true,
      messages: [{ role: "user", content: "你好" }],
    });
    expect(request?.body).not.toHaveProperty("temperature");
    const receipt = answers().getByRole("link", { name: "回执" });
    await answers().getByText("13 + 5 token").waitFor();
    await answers()
      .getByText(/费用 \$0\.0000\d+/)
      .waitFor();
    const { body } = await stage.carol.api("GET", "/api/log/self?p=0&type=2");
    const [line] = body.data as { quota: number; token_name: string }[];
    expect(line).toMatchObject({ token_name: "Playground" });
    expect(line?.quota).toBeGreaterThan(0);
    expect(await balance()).toBe(before - (line?.quota ?? 0));
    await receipt.click();
    await page.waitForURL("**/log/receipt/*");
    await page.getByText("Playground").first().waitFor();
    await stage.open("/log", page);
    await stage.row("Playground", page).first().waitFor();
  });

  it("stops with Esc, and keeps what has come", async () => {
    stage.upstream.script({ fault: "slow", delayMs: 60, text: "word ".repeat(100), pieces: 100 });
    await openChat();
    await ask("count");
    await answers().getByText("word word").waitFor();
    await page.keyboard.press("Escape");
    await answers().getByText("已停止").waitFor();
    await page.getByRole("button", { name: "发送" }).waitFor();
    const text = (await answers().textContent()) ?? "";
    expect(text.split("word").length).toBeLessThan(100);
    await answers().getByRole("link", { name: "回执" }).waitFor();
    stage.upstream.reset();
    await answers().getByRole("button", { name: "重试" }).click();
    await answers().getByText("你好，世界").waitFor();
  });

  it("compares models side by side, each with its cost", async () => {
    await openChat();
    await page.getByRole("button", { name: "对比" }).click();
    await page.getByLabel("模型 2", { exact: true }).fill("gpt-4o");
    await ask("compare");
    await expect.poll(() => answers().getByRole("link", { name: "回执" }).count()).toBe(2);
    const names = await answers().evaluateAll((each) => each.map((one) => one.getAttribute("aria-label")));
    expect(names).toEqual(["gpt-3.5-turbo", "gpt-4o"]);
    const boxes = await Promise.all([answers().nth(0).boundingBox(), answers().nth(1).boundingBox()]);
    expect(boxes[0]?.y).toBe(boxes[1]?.y);
    expect(stage.upstream.requests.map(({ body }) => (body as { model: string }).model).sort()).toEqual([
      "gpt-3.5-turbo",
      "gpt-4o",
    ]);
  });

  it("carries pictures and parameters, and answers calls of tools", async () => {
    await openChat();
    await page.locator("summary", { hasText: "参数" }).click();
    await page.getByLabel("系统提示词").fill("Be short.");
    await page.getByLabel("温度").fill("9");
    await page.getByText("请输入 0 到 2 之间的数字。").waitFor();
    expect(await page.getByRole("button", { name: "发送" }).isDisabled()).toBe(true);
    await page.getByLabel("温度").fill("0");
    const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
    await page.getByLabel("工具").fill(JSON.stringify(tools));
    await page
      .getByLabel("添加文件")
      .setInputFiles([{ name: "pixel.png", mimeType: "image/png", buffer: PIXEL }]);
    await page.getByText("pixel.png").waitFor();
    stage.upstream.script(
      {
        toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Paris"}' }],
        finish: "tool-calls",
        text: "",
      },
      {},
    );
    await ask("weather?");
    const result = page.getByLabel("weather 的结果");
    await result.fill("sunny");
    await page.getByRole("button", { name: "发送结果" }).click();
    await answers().getByText("你好，世界").waitFor();
    const [first, second] = stage.upstream.requests.map(({ body }) => body as { messages: unknown[] });
    expect(first).toMatchObject({ temperature: 0, tools });
    expect(first?.messages).toEqual([
      { role: "system", content: "Be short." },
      {
        role: "user",
        content: [
          { type: "text", text: "weather?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL.toString("base64")}` } },
        ],
      },
    ]);
    expect(second?.messages.slice(2)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sunny" },
    ]);
  });

  it("lets nothing in a hostile answer act", async () => {
    stage.upstream.script({ text: HOSTILE, reasoning: "thinking <b>hard</b>" });
    await openChat();
    await ask("hostile");
    await answers().getByRole("heading", { name: "Title" }).waitFor();
    await answers().getByRole("link", { name: "回执" }).waitFor();
    expect(await answers().locator("script, img, iframe, style, form").count()).toBe(0);
    const links = await answers()
      .locator(".prose a")
      .evaluateAll((each) => each.map((one) => [one.getAttribute("href"), one.getAttribute("rel")]));
    expect(links).toEqual([
      ["https://tracker.example/pixel.png", "noopener noreferrer"],
      ["https://example.com/", "noopener noreferrer"],
    ]);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await answers().getByRole("button", { name: "复制: js" }).waitFor();
    const reasoning = answers().getByText("thinking <b>hard</b>");
    expect(await reasoning.isVisible()).toBe(false);
    await answers().getByText("推理过程").click();
    await reasoning.waitFor();
  });

  it("shows what went over the wire, and the request as code", async () => {
    await openChat();
    await ask("it's raw");
    await answers().getByRole("button", { name: "原始数据" }).click();
    const raw = page.getByRole("dialog", { name: "原始数据" });
    await raw.getByText('"content": "it\'s raw"').waitFor();
    await raw.getByText("chat.completion.chunk").first().waitFor();
    await page.keyboard.press("Escape");
    await raw.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "查看代码" }).click();
    const code = page.getByRole("dialog", { name: "代码" });
    await code.getByText(`curl ${stage.server.url}/v1/chat/completions`).waitFor();
    await code.getByText("it'\\''s raw").waitFor();
    await code.getByText("Python", { exact: true }).click();
    await code.getByText("client.chat.completions.create(").waitFor();
  });

  it("says in plain words why it was refused", async () => {
    await openChat();
    await page.getByLabel("模型", { exact: true }).fill("no-such-model");
    await ask("hello");
    await answers().getByRole("alert").getByText("no-such-model").waitFor();
    await answers().getByRole("link", { name: "回执" }).waitFor();
  });
});

describe("conversations", () => {
  it("stay in this browser, apart for each user, and are exported", async () => {
    await openChat();
    await ask("remember me");
    await answers().getByText("你好，世界").waitFor();
    await page.getByRole("button", { name: "新对话" }).click();
    await page.getByText("开始提问").waitFor();
    const stored = await readStorage(page, `playground_${stage.carol.id}`);
    expect(stored).toContain("remember me");
    expect(stored).not.toContain(PIXEL.toString("base64"));
    await page.getByRole("button", { name: "对话记录" }).click();
    const list = page.getByRole("dialog", { name: "对话记录" });
    const saved = page.waitForEvent("download");
    await list.getByRole("button", { name: "导出为 Markdown: remember me" }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe("remember me.md");
    expect(readFileSync(await file.path(), "utf8")).toContain("## user\n\nremember me\n\n### gpt-3.5-turbo");
    await list.getByRole("button", { name: "重命名: remember me" }).click();
    await list.getByLabel("名称").fill("renamed");
    await list.getByRole("button", { name: "保存" }).click();
    await list.getByRole("button", { name: "renamed", exact: true }).click();
    await answers().getByText("你好，世界").waitFor();
    await page.getByRole("button", { name: "对话记录" }).click();
    await list.getByRole("button", { name: "删除: renamed" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "删除" }).click();
    await expect.poll(() => readStorage(page, `playground_${stage.carol.id}`)).not.toContain("remember me");
    await page.keyboard.press("Escape");
    await page.getByText("开始提问").waitFor();
    const other = await stage.visit();
    await enter(other, stage.server.url);
    await other.evaluate(`localStorage.setItem("playground_${stage.carol.id}", ${JSON.stringify(stored)})`);
    await stage.open("/playground", other);
    await other.getByRole("button", { name: "对话记录" }).click();
    await other.getByText("暂无对话").waitFor();
    await other.context().close();
  });
});

describe("the other tabs", () => {
  it("show pictures, play sound and describe vectors", async () => {
    await stage.open("/playground?tab=image", page);
    expect(await page.getByLabel("模型", { exact: true }).inputValue()).toBe("dall-e-2");
    await page.getByLabel("提示词").fill("a cat");
    await page.getByRole("button", { name: "生成", exact: true }).click();
    await page.getByRole("link", { name: "回执" }).waitFor();
    await page.getByText("语音", { exact: true }).click();
    await page.getByLabel("文本").fill("hello");
    await page.getByRole("button", { name: "生成语音" }).click();
    const sound = page.locator("audio");
    await sound.waitFor();
    expect(await sound.getAttribute("src")).toMatch(/^blob:/);
    await page.getByRole("link", { name: "回执" }).waitFor();
    await page.getByText("向量", { exact: true }).click();
    await page.getByLabel("文本").fill("hello");
    await page.getByRole("button", { name: "生成向量" }).click();
    await page.getByText(/^\d+ 维，长度/).waitFor();
    await page.getByRole("link", { name: "回执" }).waitFor();
  });
});

describe("the page", () => {
  it("opens with the model from whose page it is visited", async () => {
    await stage.open("/model/gpt-4o", page);
    await page.getByRole("main").getByRole("link", { name: "试用", exact: true }).click();
    await page.waitForURL("**/playground?model=gpt-4o");
    await messageField().waitFor();
    expect(await page.getByLabel("模型", { exact: true }).inputValue()).toBe("gpt-4o");
  });

  it("has no fault for axe, wide and on a dark phone, and one column there", async () => {
    stage.upstream.script({ text: HOSTILE, reasoning: "hm" });
    await openChat();
    await page.getByRole("button", { name: "对比" }).click();
    await ask("look");
    await expect.poll(() => answers().getByRole("link", { name: "回执" }).count()).toBe(2);
    expect(await faultsOf(page)).toEqual([]);
    const phone = await newVisit(page.context().browser() as Browser, {
      viewport: { width: 360, height: 740 },
      colorScheme: "dark",
    });
    await enter(phone, stage.server.url, "carol", "password-1");
    await stage.open("/playground", phone);
    await phone.getByRole("button", { name: "对比" }).click();
    await phone.getByRole("textbox", { name: "消息", exact: true }).fill("look");
    await phone.getByRole("button", { name: "发送" }).click();
    const shown = phone.getByRole("list", { name: "对话", exact: true }).locator("article[aria-label]");
    await expect.poll(() => shown.getByRole("link", { name: "回执" }).count()).toBe(2);
    const [upper, lower] = [await shown.nth(0).boundingBox(), await shown.nth(1).boundingBox()];
    expect(upper?.x).toBe(lower?.x);
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expect(await faultsOf(phone)).toEqual([]);
    await phone.context().close();
  });

  it("leads to the top-up without a balance, and is hidden where the site switches it off", async () => {
    await stage.root.api("PUT", "/api/user/", { id: stage.carol.id, quota: 0 });
    await openChat();
    await page.getByRole("link", { name: "去充值" }).waitFor();
    await ask("hello");
    await answers().getByRole("alert").waitFor();
    await stage.setOption("PlaygroundEnabled", "false");
    await stage.open("/playground", page);
    await page.getByText("试用不可用").waitFor();
    await stage.open("/token", page);
    await page.getByRole("link", { name: "接入", exact: true }).first().waitFor();
    expect(await page.getByRole("link", { name: "试用", exact: true }).count()).toBe(0);
    await stage.setOption("PlaygroundEnabled", "true");
  });

  it("fetches nothing from elsewhere, and breaks no rule of its policy", () => {
    expect(foreign).toEqual([]);
    expect(failures).toEqual([]);
  });
});
