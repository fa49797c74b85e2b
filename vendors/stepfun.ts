import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

export const stepfun = defineVendor({
  type: 32,
  name: "StepFun",
  color: "blue",
  baseUrl: "https://api.stepfun.com",
  models: ["step-3.5-flash", "step-3", "step-2-16k", "step-1-32k", "step-1-8k"],
  prices: [
    {
      owner: { id: "stepfun", name: "StepFun" },
      currency: "CNY",
      source: "https://platform.stepfun.com/docs/pricing/details",
      asOf: "2026-05-31",
      confidence: "secondary",
      models: {
        "step-3.5-flash": {
          price: { input: 0.7, output: 2.1, cacheRead: 0.14 },
          context: 256_000,
          outputLimit: 256_000,
          aliases: ["step-3.5-flash-2603"],
        },
        "step-3": { price: stepped([1.5, 4, 0.3], [4000, [4, 8, 0.8]]), context: 64_000 },
        "step-r1-v-mini": { price: { input: 2.5, output: 8, cacheRead: 0.5 }, context: 100_000 },
        "step-2-mini": { price: { input: 1, output: 2, cacheRead: 0.2 }, context: 8000 },
        "step-2-16k": { price: { input: 38, output: 120, cacheRead: 7.6 }, context: 16_000 },
        "step-1-8k": { price: { input: 5, output: 20, cacheRead: 1 }, context: 8000 },
        "step-1-32k": { price: { input: 15, output: 70, cacheRead: 3 }, context: 32_000 },
        "step-1-256k": { price: { input: 95, output: 300, cacheRead: 19 }, context: 256_000 },
        // Listed in USD only (0.2 and 1.15).
        "step-3.7-flash": { price: "unknown", context: 256_000, outputLimit: 256_000 },
      },
    },
  ],
});
