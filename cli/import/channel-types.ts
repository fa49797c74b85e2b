import type { Series } from "./origin";

/** A channel type of the source that has an equal here. */
export interface KnownType {
  /** The source's name of it. */
  name: string;
  /** The type's number here (vendors/). */
  type: number;
  /** Where the source asks while a channel names no address. */
  address?: string;
  /** Path that the source appends to a channel's address, and this gateway does not. */
  path?: string;
  /** How the channel's address is to be read where it is not the beginning of all its addresses. */
  addressIs?: "whole" | "versioned";
}

/** A channel type of the source that nothing here is equal to: such channels are left out, never guessed. */
export interface UnequalType {
  name: string;
  type: undefined;
}

export type SourceType = KnownType | UnequalType;

const same = (name: string, type: number, address?: string, more: Partial<KnownType> = {}): KnownType => ({
  name,
  type,
  ...(address === undefined ? {} : { address }),
  ...more,
});

/** Any upstream of OpenAI's shape. */
const CUSTOM = 8;
const custom = (name: string, address?: string, more?: Partial<KnownType>): KnownType =>
  same(name, CUSTOM, address, more);

const none = (name: string): UnequalType => ({ name, type: undefined });

/** Types with the same number in both series. */
const COMMON: Readonly<Record<number, SourceType>> = {
  1: same("OpenAI", 1, "https://api.openai.com"),
  3: same("Azure", 3),
  6: same("OpenAI Max", 6, "https://api.openaimax.com"),
  7: same("OhMyGPT", 7, "https://api.ohmygpt.com"),
  9: same("AILS", 9, "https://api.caipacity.com"),
  10: same("AI Proxy", 10, "https://api.aiproxy.io"),
  11: same("PaLM", 11, "https://generativelanguage.googleapis.com"),
  12: same("API2GPT", 12, "https://api.api2gpt.com"),
  13: same("AIGC2D", 13, "https://api.aigc2d.com"),
  14: same("Anthropic", 14, "https://api.anthropic.com"),
  15: same("Baidu", 15, "https://aip.baidubce.com"),
  16: same("Zhipu", 16, "https://open.bigmodel.cn"),
  17: same("Ali", 17, "https://dashscope.aliyuncs.com"),
  18: same("Xunfei", 18),
  19: same("360", 19, "https://ai.360.cn"),
  20: same("OpenRouter", 20, "https://openrouter.ai/api"),
  21: same("AI Proxy library", 21, "https://api.aiproxy.io"),
  22: same("FastGPT", 22, "https://fastgpt.run/api/openapi"),
  23: same("Tencent", 23, "https://hunyuan.tencentcloudapi.com"),
  24: same("Gemini", 24, "https://generativelanguage.googleapis.com"),
  25: same("Moonshot", 25, "https://api.moonshot.cn"),
  31: custom("01.AI", "https://api.lingyiwanwu.com"),
  33: same("AWS", 33),
};

const COHERE = { path: "/compatibility" };
const ARK = { path: "/api/v3" };
const GEMINI_OPENAI = "https://generativelanguage.googleapis.com/v1beta/openai";

/** `relay/channeltype/define.go` and `url.go` of one-api 0.6; 0.5 has the first of them, with the same meaning. */
const ONE_API: Readonly<Record<number, SourceType>> = {
  ...COMMON,
  2: same("API2D", 2, "https://oa.api2d.net"),
  4: same("CloseAI", 4, "https://api.closeai-proxy.xyz"),
  5: same("OpenAI-SB", 5, "https://api.openai-sb.com"),
  8: custom("Custom"),
  26: custom("Baichuan", "https://api.baichuan-ai.com"),
  27: same("MiniMax", 27, "https://api.minimax.chat"),
  28: same("Mistral", 28, "https://api.mistral.ai"),
  29: same("Groq", 29, "https://api.groq.com/openai"),
  30: same("Ollama", 30, "http://localhost:11434"),
  32: same("StepFun", 32, "https://api.stepfun.com"),
  34: none("Coze"),
  35: same("Cohere", 35, "https://api.cohere.ai", COHERE),
  36: same("DeepSeek", 36, "https://api.deepseek.com"),
  37: same("Cloudflare", 37, "https://api.cloudflare.com"),
  38: none("DeepL"),
  39: custom("Together", "https://api.together.xyz"),
  40: same("Doubao", 40, "https://ark.cn-beijing.volces.com", ARK),
  41: custom("Novita", "https://api.novita.ai/v3/openai", { addressIs: "versioned" }),
  42: same("Vertex AI", 42),
  43: none("Proxy"),
  44: same("SiliconFlow", 44, "https://api.siliconflow.cn"),
  45: same("xAI", 45, "https://api.x.ai"),
  46: none("Replicate"),
  47: same("Baidu v2", 15, "https://qianfan.baidubce.com"),
  48: same("Xunfei v2", 18, "https://spark-api-open.xf-yun.com"),
  49: same("Ali Bailian", 17, "https://dashscope.aliyuncs.com"),
  50: custom("OpenAI compatible", undefined, { addressIs: "versioned" }),
  51: custom("Gemini (OpenAI)", GEMINI_OPENAI, { addressIs: "versioned" }),
};

/** `constant/channel.go` of new-api: from 26 on the numbers mean other companies than one-api's. */
const NEW_API: Readonly<Record<number, SourceType>> = {
  ...COMMON,
  2: none("Midjourney"),
  4: same("Ollama", 30, "http://localhost:11434"),
  5: none("Midjourney Plus"),
  8: custom("Custom", undefined, { addressIs: "whole" }),
  19: same("360", 19, "https://api.360.cn"),
  26: same("Zhipu v4", 16, "https://open.bigmodel.cn"),
  27: custom("Perplexity", "https://api.perplexity.ai", { addressIs: "versioned" }),
  34: same("Cohere", 35, "https://api.cohere.ai", COHERE),
  35: same("MiniMax", 27, "https://api.minimax.chat"),
  36: none("Suno"),
  37: none("Dify"),
  38: custom("Jina", "https://api.jina.ai"),
  39: same("Cloudflare", 37, "https://api.cloudflare.com"),
  40: same("SiliconFlow", 44, "https://api.siliconflow.cn"),
  41: same("Vertex AI", 42),
  42: same("Mistral", 28, "https://api.mistral.ai"),
  43: same("DeepSeek", 36, "https://api.deepseek.com"),
  44: custom("Moka AI", "https://api.moka.ai"),
  45: same("VolcEngine", 40, "https://ark.cn-beijing.volces.com", ARK),
  46: same("Baidu v2", 15, "https://qianfan.baidubce.com"),
  47: custom("Xinference"),
  48: same("xAI", 45, "https://api.x.ai"),
  49: none("Coze"),
  50: none("Kling"),
  51: none("Jimeng"),
  52: none("Vidu"),
  53: custom("Submodel", "https://llm.submodel.ai"),
  54: none("Doubao video"),
  55: none("Sora"),
  56: none("Replicate"),
  57: none("Codex"),
  58: none("Advanced Custom"),
  59: custom("Sub2API"),
  60: custom("New API"),
  61: none("Task Plugin"),
  62: custom("vLLM"),
  63: custom("SGLang"),
};

const TYPES: Readonly<Record<Series, ReadonlyMap<number, SourceType>>> = (() => {
  const tableOf = (types: Readonly<Record<number, SourceType>>): ReadonlyMap<number, SourceType> =>
    new Map(Object.entries(types).map(([number, type]) => [Number(number), type]));
  const oneApi = tableOf(ONE_API);
  return { "one-api-0.5": oneApi, "one-api-0.6": oneApi, "new-api": tableOf(NEW_API) };
})();

/** Returns the type of a number in the source; undefined for an unknown one, such as those of forks. */
export const findSourceType = (series: Series, type: number): SourceType | undefined =>
  TYPES[series].get(type);

/** Names that new-api takes in place of an address, by the type (here) of the channels that may have them. */
export const NAMED_ADDRESSES: ReadonlyMap<string, { type: number; address: string }> = new Map([
  ["glm-coding-plan", { type: 16, address: "https://open.bigmodel.cn/api/coding/paas/v4" }],
  ["glm-coding-plan-international", { type: 16, address: "https://api.z.ai/api/coding/paas/v4" }],
  ["kimi-coding-plan", { type: 25, address: "https://api.kimi.com/coding/v1" }],
  ["doubao-coding-plan", { type: 40, address: "https://ark.cn-beijing.volces.com/api/coding/v3" }],
]);
