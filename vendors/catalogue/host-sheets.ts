import type { PriceSheet } from "./sheet";

const GROQ_SHEET: PriceSheet = {
  owner: "groq",
  currency: "USD",
  source: "https://console.groq.com/docs/models",
  asOf: "2026-09-23",
  confidence: "secondary",
  models: {
    "openai/gpt-oss-120b": {
      price: { input: 0.15, output: 0.6, cacheRead: 0.075 },
      context: 131_072,
      outputLimit: 65_536,
    },
    "openai/gpt-oss-20b": {
      price: { input: 0.075, output: 0.3, cacheRead: 0.0375 },
      context: 131_072,
      outputLimit: 65_536,
    },
    "llama-3.3-70b-versatile": {
      price: { input: 0.59, output: 0.79 },
      context: 131_072,
      outputLimit: 32_768,
    },
    "llama-3.1-8b-instant": {
      price: { input: 0.05, output: 0.08 },
      context: 131_072,
      outputLimit: 131_072,
    },
    "meta-llama/llama-4-maverick-17b-128e-instruct": {
      price: { input: 0.2, output: 0.6 },
      context: 131_072,
      outputLimit: 8192,
    },
    "meta-llama/llama-4-scout-17b-16e-instruct": {
      price: { input: 0.11, output: 0.34 },
      context: 131_072,
      outputLimit: 8192,
    },
    "qwen/qwen3-32b": { price: { input: 0.29, output: 0.59 }, context: 131_072, outputLimit: 40_960 },
    "moonshotai/kimi-k2-instruct": {
      price: { input: 1, output: 3, cacheRead: 0.5 },
      context: 131_072,
      outputLimit: 16_384,
      aliases: ["moonshotai/kimi-k2-instruct-0905"],
    },
    // 0.111 and 0.04 USD an hour.
    "whisper-large-v3": { price: { perMinute: 0.00185 }, writesNothing: true },
    "whisper-large-v3-turbo": { price: { perMinute: 0.000667 }, writesNothing: true },
  },
};

const SILICONFLOW_SHEET: PriceSheet = {
  owner: "siliconflow",
  currency: "CNY",
  source: "https://siliconflow.cn/zh-cn/models",
  asOf: "2026-05-31",
  confidence: "secondary",
  models: {
    "deepseek-ai/DeepSeek-V4-Flash": { price: { input: 1, output: 2 }, context: 1_048_576 },
    "deepseek-ai/DeepSeek-V3.2": {
      price: { input: 2, output: 3 },
      context: 163_840,
      aliases: ["Pro/deepseek-ai/DeepSeek-V3.2"],
    },
    "Qwen/Qwen3.6-27B": {
      price: { input: 0.6, output: 4.8, tiers: [{ aboveTokens: 131_072, input: 1.8, output: 14.4 }] },
      context: 262_144,
    },
    "Qwen/Qwen3.6-35B-A3B": {
      price: { input: 0.4, output: 3.2, tiers: [{ aboveTokens: 128_000, input: 1.6, output: 12.8 }] },
      context: 262_144,
    },
    "Qwen/Qwen3.5-397B-A17B": {
      price: { input: 0.8, output: 4.8, tiers: [{ aboveTokens: 128_000, input: 2, output: 12 }] },
      context: 262_144,
    },
    "MiniMaxAI/MiniMax-M2.5": { price: { input: 2.1, output: 8.4 }, context: 192_000 },
    "Pro/MiniMaxAI/MiniMax-M2.5": {
      price: { input: 2.1, output: 8.4, cacheRead: 0.21 },
      context: 192_000,
    },
    "Pro/moonshotai/Kimi-K2.6": {
      price: { input: 6.5, output: 27, cacheRead: 1.1 },
      context: 262_144,
    },
    "Pro/zai-org/GLM-5.1": {
      price: {
        input: 6,
        output: 24,
        cacheRead: 1.3,
        tiers: [{ aboveTokens: 32_000, input: 8, output: 28, cacheRead: 2 }],
      },
      context: 198_000,
    },
    "zai-org/GLM-4.6V": { price: { input: 1, output: 3 }, context: 131_072 },
    "Qwen/Qwen3-32B": { price: { input: 1, output: 4 }, context: 131_072, asOf: "2025-07-01" },
    "deepseek-ai/DeepSeek-R1": { price: { input: 4, output: 16 }, context: 163_840, asOf: "2025-07-01" },
    // No price could be found.
    "BAAI/bge-m3": { writesNothing: true, context: 8192 },
    "BAAI/bge-reranker-v2-m3": { writesNothing: true },
  },
};

const CLOUDFLARE_SHEET: PriceSheet = {
  owner: "cloudflare",
  currency: "USD",
  source: "https://developers.cloudflare.com/workers-ai/platform/pricing/",
  asOf: "2026-09-23",
  confidence: "secondary",
  models: {
    "@cf/openai/gpt-oss-120b": { price: { input: 0.35, output: 0.75 }, context: 128_000 },
    "@cf/openai/gpt-oss-20b": { price: { input: 0.2, output: 0.3 }, context: 128_000 },
    "@cf/meta/llama-3.3-70b-instruct-fp8-fast": { price: { input: 0.293, output: 2.253 }, context: 24_000 },
    "@cf/qwen/qwen3-30b-a3b-fp8": { price: { input: 0.051, output: 0.335 } },
    "@cf/zai-org/glm-5.2": { price: { input: 1.4, output: 4.4, cacheRead: 0.26 } },
    "@cf/moonshotai/kimi-k2.6": { price: { input: 0.95, output: 4, cacheRead: 0.16 } },
    "@cf/baai/bge-m3": { price: { input: 0.012 }, writesNothing: true },
  },
};

/** Bedrock's own models, in the regions of the list price; Claude's names there mean Anthropic's models. */
const BEDROCK_SHEET: PriceSheet = {
  owner: "amazon",
  currency: "USD",
  source: "https://aws.amazon.com/bedrock/pricing/",
  asOf: "2026-09-23",
  confidence: "secondary",
  models: {
    "amazon.nova-premier-v1:0": {
      price: { input: 2.5, output: 12.5, cacheRead: 0.625 },
      context: 1_000_000,
    },
    "amazon.nova-pro-v1:0": {
      price: { input: 0.8, output: 3.2, cacheRead: 0.2 },
      context: 300_000,
      outputLimit: 10_000,
    },
    "amazon.nova-lite-v1:0": {
      price: { input: 0.06, output: 0.24, cacheRead: 0.015 },
      context: 300_000,
      outputLimit: 10_000,
    },
    "amazon.nova-micro-v1:0": {
      price: { input: 0.035, output: 0.14, cacheRead: 0.00875 },
      context: 128_000,
      outputLimit: 10_000,
    },
    "global.amazon.nova-2-lite-v1:0": {
      price: { input: 0.3, output: 2.5, cacheRead: 0.075 },
      context: 1_000_000,
    },
    "openai.gpt-oss-120b-1:0": {
      price: { input: 0.15, output: 0.6 },
      context: 128_000,
      outputLimit: 16_384,
    },
  },
};

const OWN_MACHINE = { price: { input: 0, output: 0 } } as const;

/** Models on the administrator's own machine cost nothing by the token. Their names carry a tag, as nobody else's do. */
const OLLAMA_SHEET: PriceSheet = {
  owner: "ollama",
  currency: "USD",
  source: "https://ollama.com/library",
  asOf: "2026-11-21",
  confidence: "inferred",
  models: {
    "gpt-oss:20b": OWN_MACHINE,
    "gpt-oss:120b": OWN_MACHINE,
    "llama3.3:70b": OWN_MACHINE,
    "qwen3:8b": OWN_MACHINE,
    "qwen3:32b": OWN_MACHINE,
    "nomic-embed-text:latest": { price: { input: 0 }, writesNothing: true },
  },
};

/** Hosts of others' models: the names are theirs, and so are the prices. */
export const HOST_SHEETS: readonly PriceSheet[] = [
  GROQ_SHEET,
  SILICONFLOW_SHEET,
  CLOUDFLARE_SHEET,
  BEDROCK_SHEET,
  OLLAMA_SHEET,
];
