import { ACTS, textOnly } from "./catalogue/abilities";
import { defineVendor } from "./define-vendor";

export const deepseek = defineVendor({
  type: 36,
  name: "DeepSeek",
  color: "blue",
  baseUrl: "https://api.deepseek.com",
  keyShape: /^sk-[0-9a-f]{32}$/,
  // https://api-docs.deepseek.com/api/get-user-balance
  balance: { method: "balance-infos", unit: "cny", otherApis: /\/(?:beta|anthropic)$/ },
  models: ["deepseek-flash", "deepseek-v4-pro", "deepseek-chat", "deepseek-reasoner"],
  prices: [
    // Prices differ by day and night: the peak price is listed, because prices here do not depend on the hour.
    {
      owner: { id: "deepseek", name: "DeepSeek" },
      currency: "CNY",
      source: "https://api-docs.deepseek.com/zh-cn/quick_start/pricing",
      asOf: "2026-10-27",
      confidence: "vendor page",
      models: {
        "deepseek-flash": {
          price: { input: 2, output: 8, cacheRead: 0.04 },
          context: 1_048_576,
          outputLimit: 393_216,
          abilities: { outputs: ["text"], features: ACTS },
          // Names of older models that this one answers now, at its price.
          aliases: [
            "deepseek-v4-flash",
            "deepseek-v4-flash-vision-exp",
            "deepseek-chat",
            "deepseek-reasoner",
          ],
        },
        "deepseek-v4-pro": {
          price: { input: 9, output: 27, cacheRead: 0.3 },
          context: 1_048_576,
          outputLimit: 393_216,
          abilities: textOnly(ACTS),
        },
      },
    },
  ],
});
