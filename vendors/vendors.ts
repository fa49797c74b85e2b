import { MODERN_VENDORS } from "./modern-vendors";
import type { Vendor } from "./vendor";

const relay = (
  type: number,
  name: string,
  color: Vendor["color"],
  baseUrl: string,
  more: Partial<Vendor> = {},
): Vendor => ({
  type,
  name: { zh: `代理：${name}`, en: `Relay: ${name}` },
  category: "relay",
  color,
  baseUrl,
  ...more,
});

/** Every channel type: those of the specification in the order of its channel form, then the newer ones. Addresses: contract section 5. */
export const VENDORS: readonly Vendor[] = [
  {
    type: 1,
    name: { zh: "OpenAI", en: "OpenAI" },
    category: "model",
    color: "green",
    baseUrl: "https://api.openai.com",
    balanceUnit: "usd",
  },
  {
    type: 14,
    name: { zh: "Anthropic Claude", en: "Anthropic Claude" },
    category: "model",
    color: "black",
    baseUrl: "https://api.anthropic.com",
  },
  {
    type: 3,
    name: { zh: "Azure OpenAI", en: "Azure OpenAI" },
    category: "model",
    color: "olive",
    baseUrl: "",
    other: { meaning: "api-version", default: "2023-06-01-preview" },
  },
  {
    type: 11,
    name: { zh: "Google PaLM2", en: "Google PaLM2" },
    category: "model",
    color: "orange",
    baseUrl: "https://generativelanguage.googleapis.com",
  },
  {
    type: 15,
    name: { zh: "百度文心千帆", en: "Baidu Qianfan" },
    category: "model",
    color: "blue",
    baseUrl: "https://aip.baidubce.com",
    keyFormat: "APIKey|SecretKey",
  },
  {
    type: 17,
    name: { zh: "阿里通义千问", en: "Alibaba Qwen" },
    category: "model",
    color: "orange",
    baseUrl: "https://dashscope.aliyuncs.com",
  },
  {
    type: 18,
    name: { zh: "讯飞星火认知", en: "iFlytek Spark" },
    category: "model",
    color: "blue",
    baseUrl: "https://spark-api.xf-yun.com",
    keyFormat: "APPID|APISecret|APIKey",
    other: { meaning: "model-version", default: "v2.1" },
  },
  {
    type: 16,
    name: { zh: "智谱 ChatGLM", en: "Zhipu ChatGLM" },
    category: "model",
    color: "violet",
    baseUrl: "https://open.bigmodel.cn",
  },
  {
    type: 19,
    name: { zh: "360 智脑", en: "360 Zhinao" },
    category: "model",
    color: "blue",
    baseUrl: "https://ai.360.cn",
  },
  {
    type: 23,
    name: { zh: "腾讯混元", en: "Tencent Hunyuan" },
    category: "model",
    color: "teal",
    baseUrl: "https://hunyuan.tencentcloudapi.com",
    keyFormat: "AppId|SecretId|SecretKey",
  },
  {
    type: 8,
    name: { zh: "自定义渠道", en: "Custom channel" },
    category: "custom",
    color: "pink",
    baseUrl: "",
    balanceUnit: "usd",
  },
  {
    type: 22,
    name: { zh: "知识库：FastGPT", en: "Knowledge base: FastGPT" },
    category: "knowledge-base",
    color: "blue",
    baseUrl: "https://fastgpt.run/api/openapi",
    keyFormat: "APIKey-AppId",
    other: { meaning: "private-address" },
  },
  {
    type: 21,
    name: { zh: "知识库：AI Proxy", en: "Knowledge base: AI Proxy" },
    category: "knowledge-base",
    color: "purple",
    baseUrl: "https://api.aiproxy.io",
    other: { meaning: "knowledge-base-id" },
  },
  ...MODERN_VENDORS,
  relay(20, "OpenRouter", "black", "https://openrouter.ai/api"),
  relay(2, "API2D", "blue", "https://oa.api2d.net"),
  relay(5, "OpenAI-SB", "brown", "https://api.openai-sb.com", { balanceUnit: "cny-per-10000" }),
  relay(7, "OhMyGPT", "purple", "https://api.ohmygpt.com"),
  relay(10, "AI Proxy", "purple", "https://api.aiproxy.io", { balanceUnit: "quota" }),
  relay(4, "CloseAI", "teal", "https://api.closeai-proxy.xyz", { balanceUnit: "cny" }),
  relay(6, "OpenAI Max", "violet", "https://api.openaimax.com"),
  relay(9, "AI.LS", "green", "https://api.caipacity.com"),
  relay(12, "API2GPT", "blue", "https://api.api2gpt.com", { balanceUnit: "cny" }),
  relay(13, "AIGC2D", "purple", "https://api.aigc2d.com", { balanceUnit: "quota" }),
];

const byType = new Map(VENDORS.map((vendor) => [vendor.type, vendor]));

/** The vendor of a channel type; undefined for a number that the specification does not know. */
export const findVendor = (type: number): Vendor | undefined => byType.get(type);
