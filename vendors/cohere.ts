import { defineVendor } from "./define-vendor";

export const cohere = defineVendor({
  type: 35,
  name: "Cohere",
  color: "teal",
  baseUrl: "https://api.cohere.ai/compatibility",
  // Rerank is not below the address of the compatible API.
  route: { addressing: "cohere" },
  models: ["command-a-03-2025", "command-r-plus-08-2024", "command-r-08-2024", "embed-v4.0", "rerank-v3.5"],
  prices: [
    {
      owner: { id: "cohere", name: "Cohere" },
      currency: "USD",
      source: "https://cohere.com/pricing",
      asOf: "2026-09-23",
      confidence: "secondary",
      models: {
        "command-a-03-2025": { price: { input: 2.5, output: 10 }, context: 256_000, outputLimit: 8000 },
        "command-r-plus-08-2024": { price: { input: 2.5, output: 10 }, context: 128_000, outputLimit: 4000 },
        "command-r-08-2024": { price: { input: 0.15, output: 0.6 }, context: 128_000, outputLimit: 4000 },
        "command-r7b-12-2024": {
          price: { input: 0.0375, output: 0.15 },
          context: 128_000,
          outputLimit: 4000,
        },
        "embed-v4.0": { price: { input: 0.12 }, writesNothing: true, context: 128_000 },
        "rerank-v3.5": { price: { perThousandSearches: 2 }, writesNothing: true },
      },
    },
  ],
});
