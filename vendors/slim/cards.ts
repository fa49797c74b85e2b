import type { VendorCard } from "./vendor-card";

/** Written from the vendors' files: UPDATE_DOCS=1 npx vitest run vendors */
export const VENDOR_CARDS: readonly VendorCard[] = [
  {
    type: 1,
    name: "OpenAI",
    color: "green",
    balanceUnit: "usd",
  },
  {
    type: 14,
    name: "Anthropic Claude",
    color: "black",
  },
  {
    type: 3,
    name: "Azure OpenAI",
    color: "olive",
  },
  {
    type: 11,
    name: "Google PaLM2",
    color: "orange",
  },
  {
    type: 15,
    name: {
      zh: "百度文心千帆",
      en: "Baidu Qianfan",
    },
    color: "blue",
  },
  {
    type: 17,
    name: {
      zh: "阿里通义千问",
      en: "Alibaba Qwen",
    },
    color: "orange",
  },
  {
    type: 18,
    name: {
      zh: "讯飞星火认知",
      en: "iFlytek Spark",
    },
    color: "blue",
  },
  {
    type: 16,
    name: {
      zh: "智谱 ChatGLM",
      en: "Zhipu ChatGLM",
    },
    color: "violet",
  },
  {
    type: 19,
    name: {
      zh: "360 智脑",
      en: "360 Zhinao",
    },
    color: "blue",
  },
  {
    type: 23,
    name: {
      zh: "腾讯混元",
      en: "Tencent Hunyuan",
    },
    color: "teal",
  },
  {
    type: 8,
    name: {
      zh: "自定义渠道",
      en: "Custom channel",
    },
    color: "pink",
    balanceUnit: "usd",
  },
  {
    type: 22,
    name: {
      zh: "知识库：FastGPT",
      en: "Knowledge base: FastGPT",
    },
    color: "blue",
  },
  {
    type: 21,
    name: {
      zh: "知识库：AI Proxy",
      en: "Knowledge base: AI Proxy",
    },
    color: "purple",
  },
  {
    type: 24,
    name: "Google Gemini",
    color: "orange",
  },
  {
    type: 42,
    name: "Google Vertex AI",
    color: "blue",
  },
  {
    type: 36,
    name: "DeepSeek",
    color: "blue",
  },
  {
    type: 25,
    name: "Moonshot Kimi",
    color: "black",
  },
  {
    type: 27,
    name: "MiniMax",
    color: "red",
  },
  {
    type: 40,
    name: "Volcengine Ark 火山方舟",
    color: "blue",
  },
  {
    type: 44,
    name: "SiliconFlow",
    color: "violet",
  },
  {
    type: 28,
    name: "Mistral",
    color: "orange",
  },
  {
    type: 29,
    name: "Groq",
    color: "red",
  },
  {
    type: 45,
    name: "xAI",
    color: "black",
  },
  {
    type: 35,
    name: "Cohere",
    color: "teal",
  },
  {
    type: 37,
    name: "Cloudflare Workers AI",
    color: "orange",
  },
  {
    type: 30,
    name: "Ollama",
    color: "grey",
  },
  {
    type: 32,
    name: "StepFun 阶跃星辰",
    color: "blue",
  },
  {
    type: 33,
    name: "AWS Bedrock",
    color: "orange",
  },
  {
    type: 20,
    name: {
      zh: "代理：OpenRouter",
      en: "Relay: OpenRouter",
    },
    color: "black",
  },
  {
    type: 2,
    name: {
      zh: "代理：API2D",
      en: "Relay: API2D",
    },
    color: "blue",
  },
  {
    type: 5,
    name: {
      zh: "代理：OpenAI-SB",
      en: "Relay: OpenAI-SB",
    },
    color: "brown",
    balanceUnit: "cny-per-10000",
  },
  {
    type: 7,
    name: {
      zh: "代理：OhMyGPT",
      en: "Relay: OhMyGPT",
    },
    color: "purple",
  },
  {
    type: 10,
    name: {
      zh: "代理：AI Proxy",
      en: "Relay: AI Proxy",
    },
    color: "purple",
    balanceUnit: "quota",
  },
  {
    type: 4,
    name: {
      zh: "代理：CloseAI",
      en: "Relay: CloseAI",
    },
    color: "teal",
    balanceUnit: "cny",
  },
  {
    type: 6,
    name: {
      zh: "代理：OpenAI Max",
      en: "Relay: OpenAI Max",
    },
    color: "violet",
  },
  {
    type: 9,
    name: {
      zh: "代理：AI.LS",
      en: "Relay: AI.LS",
    },
    color: "green",
  },
  {
    type: 12,
    name: {
      zh: "代理：API2GPT",
      en: "Relay: API2GPT",
    },
    color: "blue",
    balanceUnit: "cny",
  },
  {
    type: 13,
    name: {
      zh: "代理：AIGC2D",
      en: "Relay: AIGC2D",
    },
    color: "purple",
    balanceUnit: "quota",
  },
];
