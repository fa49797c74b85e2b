import { ACTS, seeing, textOnly } from "./catalogue/abilities";
import { defineVendor } from "./define-vendor";

const KIMI_2 = { context: 262_144, outputLimit: 262_144, abilities: seeing(ACTS) } as const;

export const moonshot = defineVendor({
  type: 25,
  name: "Moonshot Kimi",
  color: "black",
  baseUrl: "https://api.moonshot.cn",
  // https://platform.moonshot.cn/docs/api/misc (查询余额); accounts of the international site are in dollars.
  balance: {
    method: "field",
    path: "/v1/users/me/balance",
    field: "available_balance",
    unit: "cny",
    unitAt: { "api.moonshot.ai": "usd", "api.kimi.com": null },
  },
  models: [
    "kimi-k3",
    "kimi-k2.7-code",
    "kimi-k2.6",
    "kimi-k2.5",
    "moonshot-v1-8k",
    "moonshot-v1-32k",
    "moonshot-v1-128k",
  ],
  prices: [
    {
      owner: { id: "moonshot", name: "Moonshot AI" },
      currency: "CNY",
      source: "https://platform.kimi.com/docs/pricing/chat",
      asOf: "2026-07-31",
      confidence: "secondary",
      models: {
        "kimi-k3": {
          price: { input: 20, output: 100, cacheRead: 2 },
          context: 1_048_576,
          outputLimit: 131_072,
          abilities: seeing(ACTS),
        },
        "kimi-k2.7-code": { price: { input: 6.5, output: 27, cacheRead: 1.3 }, ...KIMI_2 },
        "kimi-k2.6": { price: { input: 6.5, output: 27, cacheRead: 1.1 }, ...KIMI_2 },
        "kimi-k2.5": { price: { input: 4, output: 21, cacheRead: 0.7 }, ...KIMI_2 },
        "kimi-k2-thinking": { price: { input: 4, output: 16 }, ...KIMI_2, abilities: textOnly(ACTS) },
        "moonshot-v1-8k": {
          price: { input: 2, output: 10 },
          context: 8192,
          aliases: ["moonshot-v1-8k-vision-preview"],
        },
        "moonshot-v1-32k": {
          price: { input: 5, output: 20 },
          context: 32_768,
          aliases: ["moonshot-v1-32k-vision-preview"],
        },
        "moonshot-v1-128k": {
          price: { input: 10, output: 30 },
          context: 131_072,
          aliases: ["moonshot-v1-128k-vision-preview"],
        },
        // Charged by the context that an answer happens to need: no single price.
        "moonshot-v1-auto": { price: "unknown", context: 131_072 },
        "kimi-latest": { price: "unknown", context: 131_072 },
      },
    },
  ],
});
