import { defineVendor } from "./define-vendor";

export const mistral = defineVendor({
  type: 28,
  name: "Mistral",
  providerName: "mistral_ai",
  color: "orange",
  baseUrl: "https://api.mistral.ai",
  // Unknown fields are refused (https://docs.mistral.ai/api); usage is reported by default.
  refusedFields: ["stream_options", "user", "logit_bias", "logprobs", "top_logprobs", "store"],
  models: [
    "mistral-large-latest",
    "mistral-medium-latest",
    "mistral-small-latest",
    "codestral-latest",
    "mistral-embed",
  ],
  prices: [
    {
      owner: { id: "mistral", name: "Mistral AI" },
      currency: "USD",
      source: "https://mistral.ai/pricing/api",
      asOf: "2026-09-23",
      confidence: "secondary",
      models: {
        "mistral-large-2512": {
          price: { input: 0.5, output: 1.5, cacheRead: 0.05 },
          context: 262_144,
          aliases: ["mistral-large-latest"],
        },
        "mistral-large-2411": { price: { input: 2, output: 6 }, context: 131_072 },
        "mistral-medium-2604": {
          price: { input: 1.5, output: 7.5, cacheRead: 0.15 },
          context: 262_144,
          aliases: ["mistral-medium-latest", "mistral-medium-3.5", "mistral-medium-3-5"],
        },
        "mistral-medium-2508": {
          price: { input: 0.4, output: 2, cacheRead: 0.04 },
          context: 262_144,
          aliases: ["mistral-medium-2505"],
        },
        "mistral-small-2603": {
          price: { input: 0.15, output: 0.6, cacheRead: 0.015 },
          context: 262_144,
          aliases: ["mistral-small-latest"],
        },
        "codestral-2508": {
          price: { input: 0.3, output: 0.9, cacheRead: 0.03 },
          context: 256_000,
          aliases: ["codestral-latest"],
        },
        "devstral-2512": {
          price: { input: 0.4, output: 2, cacheRead: 0.04 },
          context: 262_144,
          aliases: ["devstral-latest", "devstral-medium-latest"],
        },
        "magistral-medium-latest": { price: { input: 2, output: 5 }, context: 128_000 },
        "ministral-14b-2512": { price: { input: 0.2, output: 0.2, cacheRead: 0.02 }, context: 262_144 },
        "ministral-8b-2512": {
          price: { input: 0.15, output: 0.15, cacheRead: 0.015 },
          context: 262_144,
          aliases: ["ministral-8b-latest"],
        },
        "ministral-3b-2512": { price: { input: 0.1, output: 0.1, cacheRead: 0.01 }, context: 131_072 },
        "open-mistral-nemo": {
          price: { input: 0.15, output: 0.15 },
          context: 128_000,
          aliases: ["mistral-nemo"],
        },
        "pixtral-large-latest": { price: { input: 2, output: 6 }, context: 128_000 },
        "mistral-embed": { price: { input: 0.1 }, writesNothing: true, context: 8192 },
      },
    },
  ],
});
