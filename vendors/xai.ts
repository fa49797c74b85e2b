import type { TokenPrices } from "@tollgate/contract/management/model-price";
import { seeing, TALKS, THINKS, textOnly } from "./catalogue/abilities";
import { defineVendor } from "./define-vendor";

/** From 200,000 tokens of input on, the whole request costs twice as much. */
const grok = (input: number, output: number, cacheRead: number): TokenPrices => ({
  input,
  output,
  cacheRead,
  tiers: [{ aboveTokens: 199_999, input: input * 2, output: output * 2, cacheRead: cacheRead * 2 }],
});

// https://docs.x.ai/docs/models
const GROK = { context: 500_000, outputLimit: 500_000, abilities: seeing(THINKS) } as const;
const GROK_43 = { context: 1_000_000, abilities: seeing(THINKS) } as const;
/** Names with and without reasoning stand for one entry. */
const TOOLS = { tools: true, structured: true } as const;

const GROK_4_FAST = { input: 0.2, output: 0.5, cacheRead: 0.05 } as const;

export const xai = defineVendor({
  type: 45,
  name: "xAI",
  providerName: "x_ai",
  color: "black",
  baseUrl: "https://api.x.ai",
  keyShape: /^xai-/,
  // https://docs.x.ai/docs/api-reference
  extraProtocols: ["openai-responses"],
  clientHeaders: ["x-grok-conv-id"],
  completionLimitOrigins: /^https:\/\/api\.x\.ai$/,
  models: ["grok-4.7", "grok-4.6", "grok-4.3", "grok-4-1-fast-reasoning", "grok-code-fast-1"],
  toolPrices: { web_search: 5 },
  prices: [
    {
      owner: { id: "xai", name: "xAI" },
      currency: "USD",
      source: "https://docs.x.ai/docs/models",
      asOf: "2026-09-23",
      confidence: "secondary",
      resoldAs: [/^x-ai\//],
      models: {
        "grok-4.7": { price: grok(2, 6, 0.5), ...GROK },
        "grok-4.6": { price: grok(2, 6, 0.5), ...GROK },
        "grok-4.5": { price: grok(2, 6, 0.3), ...GROK },
        "grok-4.3": { price: grok(1.25, 2.5, 0.2), ...GROK_43, aliases: ["grok-4.3-latest"] },
        "grok-4.20": {
          price: grok(1.25, 2.5, 0.2),
          ...GROK_43,
          abilities: seeing(TOOLS),
          aliases: ["grok-4.20-0309-reasoning", "grok-4.20-0309-non-reasoning"],
        },
        "grok-4-1-fast": {
          price: GROK_4_FAST,
          context: 2_000_000,
          abilities: seeing(TOOLS),
          aliases: ["grok-4-1-fast-reasoning", "grok-4-1-fast-non-reasoning"],
        },
        "grok-4-fast": {
          price: GROK_4_FAST,
          context: 2_000_000,
          abilities: seeing(TOOLS),
          aliases: ["grok-4-fast-reasoning", "grok-4-fast-non-reasoning"],
        },
        "grok-4": {
          price: { input: 3, output: 15, cacheRead: 0.75 },
          context: 256_000,
          abilities: seeing(THINKS),
          aliases: ["grok-4-0709", "grok-4-latest"],
        },
        "grok-code-fast-1": {
          price: { input: 0.2, output: 1.5, cacheRead: 0.02 },
          context: 256_000,
          abilities: textOnly(TOOLS),
        },
        "grok-3": {
          price: { input: 3, output: 15, cacheRead: 0.75 },
          context: 131_072,
          abilities: textOnly(TALKS),
          aliases: ["grok-3-latest"],
        },
        "grok-3-mini": {
          price: { input: 0.3, output: 0.5, cacheRead: 0.075 },
          context: 131_072,
          abilities: textOnly(THINKS),
          aliases: ["grok-3-mini-latest"],
        },
      },
    },
  ],
});
