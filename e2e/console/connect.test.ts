import { spawn } from "node:child_process";
import { addChannel, addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actOnRow, enter, fieldOf, newVisit } from "./visitor";

/*
 * What the console tells people to copy is copied and run: with the real key, the real address, and a model that answers.
 */

const ANSWER = "Hello! 你好，世界";

let server: ServerProcess;
let upstream: FakeUpstream;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, upstream, browser] = await Promise.all([startServer(), startFakeUpstream(), launchBrowser()]);
  const root = await server.signIn();
  // The first name of the list answers no conversation.
  await addChannel(root, { base_url: upstream.url, models: "dall-e-3,gpt-3.5-turbo" });
  await addUser(root, server.signIn, "alice", { quota: 10_000_000 });
  page = await newVisit(browser);
  await enter(page, server.url, "alice", "password-1");
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.close();
});

interface Ended {
  status: number | null;
  output: string;
}

const run = (program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: "e2e", env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
  });

/** The variables that a snippet exports. */
const exportsOf = (snippet: string): Record<string, string> =>
  Object.fromEntries(
    [...snippet.matchAll(/^export (\w+)="(.*)"$/gm)].map(([, name, value]) => [name, value]),
  );

let dialog: Locator;

const choose = async (program: string): Promise<void> => {
  const tab = dialog.getByRole("tab", { name: program, exact: true });
  await tab.click();
  await expect.poll(() => tab.getAttribute("aria-selected")).toBe("true");
};

const snippets = async (program: string): Promise<string[]> => {
  await choose(program);
  return dialog.locator("pre").allTextContents();
};

const settings = async (program: string): Promise<string[]> => {
  await choose(program);
  return dialog.locator("dd").allTextContents();
};

const runModule = (code: string, env?: Record<string, string>): Promise<Ended> =>
  run(process.execPath, ["--input-type=module", "-e", code], env);

describe("a key that was just made", () => {
  it("is shown with the values that its owner has to copy", async () => {
    await page.goto(`${server.url}/token/add`);
    await fieldOf(page, "名称").fill("laptop");
    await page.getByRole("switch", { name: "无限额度" }).click();
    await page.getByRole("button", { name: "提交" }).click();
    dialog = page.getByRole("dialog", { name: "接入令牌“laptop”" });
    await dialog.waitFor();
    await expect
      .poll(() => dialog.getByRole("combobox", { name: "模型" }).textContent())
      .toContain("gpt-3.5-turbo");
  });

  it("answers to curl", async () => {
    const [command = ""] = await snippets("curl");
    const { status, output } = await run("bash", ["-c", command.replace("curl ", "curl --silent ")]);
    expect(status).toBe(0);
    expect(output).toContain(ANSWER);
  });

  it("answers to OpenAI's SDK in TypeScript, and says the same to Python's", async () => {
    const [, code = ""] = await snippets("TypeScript");
    expect((await runModule(code)).output).toContain(ANSWER);
    const [, python = ""] = await snippets("Python");
    for (const pattern of [/base_?u_?r_?l\W+"([^"]+)"/i, /api_?key\W+"([^"]+)"/i, /model\W+"([^"]+)"/])
      expect(pattern.exec(python)?.[1]).toBe(pattern.exec(code)?.[1]);
  });

  it("answers Claude Code's requests", async () => {
    const [text = ""] = await snippets("Claude Code");
    const code = `
      import Anthropic from "@anthropic-ai/sdk";
      const answer = await new Anthropic().messages.create({
        model: process.env.ANTHROPIC_MODEL, max_tokens: 50, messages: [{ role: "user", content: "Hello" }],
      });
      console.log(answer.content[0].text);`;
    expect((await runModule(code, exportsOf(text))).output).toContain(ANSWER);
  });

  it("answers Codex's requests", async () => {
    const [file = "", text = ""] = await snippets("Codex");
    const value = (name: string) => new RegExp(`^${name} = "(.*)"$`, "m").exec(file)?.[1] ?? "";
    const env = exportsOf(text);
    expect(value("wire_api")).toBe("responses");
    const code = `
      import OpenAI from "openai";
      const client = new OpenAI({ baseURL: ${JSON.stringify(value("base_url"))}, apiKey: process.env.${value("env_key")} });
      const answer = await client.responses.create({ model: ${JSON.stringify(value("model"))}, input: "Hello" });
      console.log(answer.output_text);`;
    expect((await runModule(code, env)).output).toContain(ANSWER);
  });

  it("answers the requests of Gemini's CLI", async () => {
    const [text = ""] = await snippets("Gemini CLI");
    const model = /--model "(.*)"/.exec(text)?.[1] ?? "";
    const code = `
      import { GoogleGenAI } from "@google/genai";
      const answer = await new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY }).models.generateContent({
        model: ${JSON.stringify(model)}, contents: "Hello",
      });
      console.log(answer.text);`;
    expect((await runModule(code, exportsOf(text))).output).toContain(ANSWER);
  });

  it.each([
    ["Cherry Studio", "/v1/chat/completions"],
    ["Cursor", "/chat/completions"],
    ["Cline", "/chat/completions"],
    ["NextChat", "/v1/chat/completions"],
  ])("answers to the settings of %s", async (program, path) => {
    const values = await settings(program);
    const address = values.find((value) => value.startsWith("http")) ?? "";
    const key = values.find((value) => value.startsWith("sk-")) ?? "";
    const answer = await fetch(address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: values.at(-1), messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(await answer.text()).toContain(ANSWER);
  });

  it("is there again from its row, and not by itself", async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: /^接入：/ }).click();
    await dialog.waitFor();
    expect(await page.getByRole("dialog").count()).toBe(1);
  });
});

describe("a key whose secret is replaced", () => {
  const shownKey = async (): Promise<string> => {
    const [command = ""] = await snippets("curl");
    return /Bearer (sk-[0-9A-Za-z]+)/.exec(command)?.[1] ?? "";
  };
  const status = (key: string): Promise<number> =>
    fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }).then(
      (answer) => answer.status,
    );
  const rotate = async (span?: string): Promise<void> => {
    await actOnRow(page.getByRole("row").nth(1), "轮换");
    const window = page.getByRole("dialog", { name: "轮换令牌“laptop”的密钥" });
    if (span !== undefined) {
      await window.getByRole("combobox", { name: "旧密钥" }).click();
      await page.getByRole("option", { name: span }).click();
    }
    await window.getByRole("button", { name: "生成新密钥" }).click();
    await dialog.waitFor();
  };
  let first: string;
  let second: string;

  it("shows the values to copy with the new one, while the old one stays valid for a day", async () => {
    first = await shownKey();
    await page.keyboard.press("Escape");
    await rotate();
    second = await shownKey();
    expect(second).not.toBe(first);
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await page.keyboard.press("Escape");
    await page.getByText("旧密钥有效至").waitFor();
  });

  it("lets its owner end the one before", async () => {
    await actOnRow(page.getByRole("row").nth(1), "轮换");
    await page.getByRole("button", { name: "立即停用" }).click();
    await page.getByText("旧密钥已停用").waitFor();
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    expect(await page.getByText("旧密钥有效至").count()).toBe(0);
  });

  it("that leaked ends at once", async () => {
    await rotate("立即失效");
    const third = await shownKey();
    expect([await status(second), await status(third)]).toEqual([401, 200]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByText("旧密钥有效至").count()).toBe(0);
  });
});
