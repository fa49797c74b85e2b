import { defineVendor } from "./define-vendor";

export const siliconflow = defineVendor({
  type: 44,
  name: "SiliconFlow",
  color: "violet",
  baseUrl: "https://api.siliconflow.cn",
  // The Chinese site ended this call on 2026-08-14 (https://docs.siliconflow.cn/docs/release-notes/overview).
  balance: {
    method: "field",
    path: "/v1/user/info",
    field: "totalBalance",
    unit: "usd",
    unitAt: { "": null, "api.siliconflow.cn": null },
  },
  models: [
    "deepseek-ai/DeepSeek-V4-Flash",
    "deepseek-ai/DeepSeek-V3.2",
    "Qwen/Qwen3.6-27B",
    "Qwen/Qwen3-32B",
    "Pro/zai-org/GLM-5.1",
    "BAAI/bge-m3",
  ],
  prices: [
    {
      owner: { id: "siliconflow", name: "SiliconFlow" },
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
        "BAAI/bge-m3": { price: "unknown", writesNothing: true, context: 8192 },
        "BAAI/bge-reranker-v2-m3": { price: "unknown", writesNothing: true },
      },
    },
  ],
});
