// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { screen, waitFor } from "../../../testing/draw";
import { type Answer, openConsole } from "../../../testing/open-console";
import { modelsToTry } from "./use-start-run";

const CHANNEL = {
  id: 5,
  type: 14,
  name: "Anthropic Claude",
  status: 1,
  key: "",
  models: "",
  group: "default",
};
const KEY = {
  id: 3,
  name: "laptop",
  key: "abc",
  status: 1,
  unlimited_quota: true,
  expired_time: -1,
  remain_quota: 0,
};
const LINE = {
  id: 1,
  created_at: 2_000_000_000,
  type: 2,
  model_name: "claude-x",
  token_name: "laptop",
  prompt_tokens: 12,
  completion_tokens: 3,
  quota: 500_000,
  request_id: "r-1",
  content: "",
};

const ANSWERS: Record<string, Answer> = {
  "POST /api/channel/fetch_models": { models: ["claude-embed", "claude-x", "claude-y"], ignored: [] },
  "GET /api/channel/": [CHANNEL, { ...CHANNEL, id: 4 }],
  "GET /api/prices/missing?channel=5": {
    price_version: 1,
    models: [{ model: "claude-y", reason: "unknown", channels: [] }],
  },
  "GET /api/channel/test/5/": () => Response.json({ success: true, message: "", time: 1.25 }),
  "GET /api/token/": [KEY],
};

/** The page and its texts are loaded on first use. */
const see = (text: string) => screen.findByText(text, {}, { timeout: 10_000 });

const open = async (answers: Record<string, Answer> = {}) => {
  const stage = await openConsole("/start", { ...ANSWERS, ...answers });
  const connect = async (text: string) => {
    await stage.person.click(await screen.findByLabelText(/上游密钥/, {}, { timeout: 10_000 }));
    await stage.person.paste(text);
    await stage.person.click(screen.getByRole("button", { name: "接入并测试" }));
  };
  return { ...stage, connect };
};

describe("the quick start", () => {
  it("goes from a pasted key to a tested channel, a key and a program's settings", async () => {
    const stage = await open();
    await stage.connect("export ANTHROPIC_API_KEY=sk-ant-1");
    await see("claude-x 在 1.25 秒内应答");
    await see("等待第一个请求……");
    expect(stage.bodyOf("POST /api/channel/fetch_models")).toMatchObject({ type: 14, key: "sk-ant-1" });
    expect(stage.bodyOf("POST /api/channel/")).toMatchObject({
      type: 14,
      name: "Anthropic Claude",
      key: "sk-ant-1",
      base_url: "",
      models: "claude-embed,claude-x,claude-y",
      group: "default",
    });
    expect(screen.getByText("3 个模型中有 2 个已有价格")).toBeTruthy();
    expect(screen.getByText(/没有价格的模型会被拒绝：claude-y。/)).toBeTruthy();
    // Embedding models and models without a price are not tried.
    expect(stage.calls.map(({ call }) => call)).toContain("GET /api/channel/test/5/?model=claude-x");
    expect(screen.getByText("令牌“laptop”可用")).toBeTruthy();
    expect((await screen.findByText(/Bearer sk-abc/)).textContent).toContain('"model": "claude-x"');
    expect(screen.getByText("等待第一个请求……")).toBeTruthy();
  });

  it("shows the first answer with its receipt, and before that a failure with its reason", async () => {
    let lines: object[] = [];
    const stage = await open({ "GET /api/log/self/": () => lines });
    await stage.connect("sk-ant-1");
    await see("等待第一个请求……");
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    try {
      lines = [{ ...LINE, type: 5, content: "余额不足", request_id: "r-0" }];
      await waitFor(() => expect(screen.getByText(/余额不足/)).toBeTruthy(), { timeout: 9000 });
      lines = [LINE, ...lines];
      await waitFor(() => expect(screen.getByText("收到第一个应答。")).toBeTruthy(), { timeout: 9000 });
    } finally {
      vi.useRealTimers();
    }
    expect(screen.getByText(/claude-x：输入 12，输出 3 token，花费 /)).toBeTruthy();
    expect(screen.getByRole("link", { name: "查看回执" }).getAttribute("href")).toBe("/log/receipt/r-1");
  });

  it("sends a key to no vendor before it is clear whose it is", async () => {
    const stage = await open();
    await stage.connect("sk-0123456789abcdef0123456789abcdef");
    expect(screen.getByText(/可能是.*DeepSeek.*，请选择。/)).toBeTruthy();
    expect(stage.calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
    await stage.person.click(screen.getByRole("combobox", { name: /厂商/ }));
    await stage.person.click(await screen.findByRole("option", { name: "DeepSeek" }));
    await stage.person.click(screen.getByRole("button", { name: "接入并测试" }));
    await waitFor(() => expect(stage.bodyOf("POST /api/channel/fetch_models")).toMatchObject({ type: 36 }));
  });

  it("names the missing fields, and sends no request", async () => {
    const stage = await open();
    await stage.person.click(screen.getByRole("button", { name: "接入并测试" }));
    expect(screen.getByLabelText(/上游密钥/).getAttribute("aria-invalid")).toBe("true");
    await stage.person.type(screen.getByLabelText(/接口地址/), "relay.example");
    await stage.connect("sk-1");
    expect(screen.getByText("请输入以 http:// 或 https:// 开头的地址！")).toBeTruthy();
    expect(stage.calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
  });

  it("makes a key where there is none without limits", async () => {
    let made: object[] = [
      { ...KEY, unlimited_quota: false },
      { ...KEY, status: 2 },
    ];
    const stage = await open({
      "GET /api/token/": () => made,
      "POST /api/token/": () => {
        made = [{ ...KEY, name: "我的第一个令牌" }, ...made];
      },
    });
    await stage.connect("sk-ant-1");
    await see("令牌“我的第一个令牌”可用");
    expect(stage.bodyOf("POST /api/token/")).toMatchObject({ name: "我的第一个令牌", unlimited_quota: true });
  });

  it("stores nothing for a key that the upstream refuses, and goes on with the usual models when asked to", async () => {
    const stage = await open({
      "POST /api/channel/fetch_models": () => Response.json({ success: false, message: "上游拒绝了密钥" }),
    });
    await stage.connect("sk-ant-1");
    await see("上游拒绝了密钥");
    expect(stage.bodyOf("POST /api/channel/")).toBeUndefined();
    await stage.person.click(screen.getByRole("button", { name: "使用该厂商的常见模型继续" }));
    await see("令牌“laptop”可用");
    expect(stage.bodyOf("POST /api/channel/")).toMatchObject({
      models: expect.stringContaining("claude-sonnet"),
    });
  });

  it("tries other models, and changes the channel that it has made when it is tried again", async () => {
    let isGood = false;
    const stage = await open({
      "GET /api/prices/missing?channel=5": { price_version: 1, models: [] },
      "GET /api/channel/test/5/": (_body: unknown, call: string) =>
        isGood && call.endsWith("claude-y")
          ? Response.json({ success: true, message: "", time: 1 })
          : Response.json({ success: false, message: "余额不足", time: 1 }),
    });
    await stage.connect("sk-ant-1");
    await see("余额不足");
    expect(screen.getByRole("link", { name: "修改渠道" }).getAttribute("href")).toBe("/channel/edit/5");
    isGood = true;
    await stage.person.click(screen.getByRole("button", { name: "接入并测试" }));
    await see("claude-y 在 1.00 秒内应答");
    const saved = stage.calls.filter(({ call }) => /^(POST|PUT) \/api\/channel\/$/.test(call));
    expect(saved.map(({ call }) => call)).toEqual(["POST /api/channel/", "PUT /api/channel/"]);
    expect(saved[1]?.body).toMatchObject({ id: 5, key: "sk-ant-1" });
  });
});

it("tries the cheapest models that talk and have a price", () => {
  const prices: Record<string, number> = { dear: 9, cheap: 1, middle: 5, fourth: 7 };
  const models = ["unlisted", "dear", "text-embedding-3", "cheap", "free", "middle", "fourth"];
  expect(modelsToTry(models, ["free"], (model) => prices[model])).toEqual(["cheap", "middle", "fourth"]);
  expect(modelsToTry(["b", "a"], [], () => undefined)).toEqual(["b", "a"]);
});
