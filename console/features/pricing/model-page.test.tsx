// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const MODEL = {
  model_name: "vendor/m 4.1:free",
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  enable_groups: ["default", "vip"],
  supported_endpoint_types: ["openai"],
  price: {
    ...{
      input: 2,
      output: 8,
      cacheRead: 0.5,
      cacheWrite5m: 2.5,
      cacheWrite1h: 4,
      audioInput: 2,
      audioOutput: 8,
    },
    tiers: [{ aboveTokens: 200_000, input: 4, output: 16, cacheRead: 1, cacheWrite5m: 5, cacheWrite1h: 8 }],
  },
  context: 400_000,
  traits: ["chat", "cache"],
  inputs: ["text", "image"],
  features: { tools: true, structured: false, reasoning: true, streaming: true },
};
const ANSWER = {
  data: [
    MODEL,
    {
      ...MODEL,
      model_name: "plain",
      price: { input: 1 },
      traits: undefined,
      inputs: undefined,
      features: undefined,
    },
  ],
  vendors: [],
  group_ratio: { default: 1, vip: 0.5 },
  usable_group: { default: "", vip: "Fast" },
  auto_groups: ["default"],
  groups: [
    { name: "default", description: "", ratio: "1", is_own: true },
    { name: "vip", description: "Fast", ratio: "0.5", is_own: false },
  ],
  pricing_version: "v",
};

const open = (name: string, role: number, price_page: string) =>
  openConsole(
    `/model/${encodeURIComponent(name)}`,
    {
      "GET /api/pricing": () => Response.json({ success: true, message: "", ...ANSWER }),
      "GET /api/status": { price_page, quota_per_unit: 500_000, display_in_currency: true },
      "GET /api/usage": [],
    },
    role,
  );

const waitLonger = { timeout: 10_000 };
const abilities = async () => {
  const card = await screen.findByRole("region", { name: "能力" }, waitLonger);
  return Object.fromEntries(
    within(card)
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
};

describe("the page of a model", () => {
  it("tells a guest what the model can do and costs, where prices are public", async () => {
    const stage = await open(MODEL.model_name, 0, "public");
    expect(await abilities()).toMatchObject({
      输入: "文本支持图像支持音频不支持视频不支持文件未知",
      输出: "文本未知图像未知音频未知视频未知",
      功能: "工具调用支持JSON Schema不支持推理支持流式输出支持",
    });
    const table = screen.getByRole("table", { name: "价格" });
    const rows = within(table)
      .getAllByRole("row")
      .map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ["分组", "输入", "输出", "缓存读取", "缓存写入", "缓存写入（1 小时）"],
      ["default× 1", "$2.00", "$8.00", "$0.50", "$2.50", "$4.00"],
      ["超过 200K", "$4.00", "$16.00", "$1.00", "$5.00", "$8.00"],
      ["vip× 0.5", "$1.00", "$4.00", "$0.25", "$1.25", "$2.00"],
      ["超过 200K", "$2.00", "$8.00", "$0.50", "$2.50", "$4.00"],
    ]);
    expect(stage.calls.map(({ call }) => call).filter((call) => /usage|log|token/.test(call))).toEqual([]);
    const tabs = within(screen.getByRole("navigation", { name: "模型详情" })).getAllByRole("link");
    expect(tabs.map(({ textContent }) => textContent)).toEqual(["概览", "接入"]);
  });

  it("calls nothing unsupported that is only not known", async () => {
    await open("plain", 1, "signed-in");
    expect(await abilities()).toEqual({
      输入: "文本未知图像未知音频未知视频未知文件未知",
      输出: "文本未知图像未知音频未知视频未知",
      功能: "工具调用未知JSON Schema未知推理未知流式输出未知",
      接口: "未知",
    });
  });

  it.each(["signed-in", "off"])("sends guests to the login page where prices are %s", async (shown) => {
    const stage = await open(MODEL.model_name, 0, shown);
    await screen.findByRole("heading", { name: /登录/ }, waitLonger);
    expect(stage.router.state.location.pathname).toBe("/login");
    expect(stage.router.state.location.state.from).toBe(`/model/${encodeURIComponent(MODEL.model_name)}`);
  });

  it("leads from a name that is not offered to names near it", async () => {
    await open("m-4-1-fre", 1, "public");
    const status = await screen.findByText(/你的分组目前没有模型/, {}, waitLonger);
    const link = within(status).getByRole("link", { name: MODEL.model_name });
    expect(link.getAttribute("href")).toBe(`/model/${encodeURIComponent(MODEL.model_name)}`);
  });
});
