import { defineVendor } from "./define-vendor";

export const cloudflare = defineVendor({
  type: 37,
  name: "Cloudflare Workers AI",
  color: "orange",
  baseUrl: "",
  baseUrlField: { example: "https://api.cloudflare.com/client/v4/accounts/ACCOUNT_ID/ai" },
  // Addresses of its AI gateway end in another vendor's name and take paths without a version.
  versionedAddresses: /^https:\/\/gateway\.ai\.cloudflare\.com/,
  models: ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-120b", "@cf/baai/bge-m3"],
  prices: [
    {
      owner: { id: "cloudflare", name: "Cloudflare" },
      currency: "USD",
      source: "https://developers.cloudflare.com/workers-ai/platform/pricing/",
      asOf: "2026-09-23",
      confidence: "secondary",
      models: {
        "@cf/openai/gpt-oss-120b": { price: { input: 0.35, output: 0.75 }, context: 128_000 },
        "@cf/openai/gpt-oss-20b": { price: { input: 0.2, output: 0.3 }, context: 128_000 },
        "@cf/meta/llama-3.3-70b-instruct-fp8-fast": {
          price: { input: 0.293, output: 2.253 },
          context: 24_000,
        },
        "@cf/qwen/qwen3-30b-a3b-fp8": { price: { input: 0.051, output: 0.335 } },
        "@cf/zai-org/glm-5.2": { price: { input: 1.4, output: 4.4, cacheRead: 0.26 } },
        "@cf/moonshotai/kimi-k2.6": { price: { input: 0.95, output: 4, cacheRead: 0.16 } },
        "@cf/baai/bge-m3": { price: { input: 0.012 }, writesNothing: true },
      },
    },
  ],
});
