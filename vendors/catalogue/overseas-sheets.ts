import type { TokenPrices } from "@tollgate/contract/control/model-price";
import type { PriceSheet } from "./sheet";

/** From 200,000 tokens of input on the whole request costs twice as much. */
const grok = (input: number, output: number, cacheRead: number): TokenPrices => ({
  input,
  output,
  cacheRead,
  tiers: [{ aboveTokens: 199_999, input: input * 2, output: output * 2, cacheRead: cacheRead * 2 }],
});

const GROK_4_FAST = { input: 0.2, output: 0.5, cacheRead: 0.05 } as const;

const XAI_SHEET: PriceSheet = {
  owner: "xai",
  currency: "USD",
  source: "https://docs.x.ai/docs/models",
  asOf: "2026-09-23",
  confidence: "secondary",
  models: {
    "grok-4.7": { price: grok(2, 6, 0.5), context: 500_000, outputLimit: 500_000 },
    "grok-4.6": { price: grok(2, 6, 0.5), context: 500_000, outputLimit: 500_000 },
    "grok-4.5": { price: grok(2, 6, 0.3), context: 500_000, outputLimit: 500_000 },
    "grok-4.3": { price: grok(1.25, 2.5, 0.2), context: 1_000_000, aliases: ["grok-4.3-latest"] },
    "grok-4.20": {
      price: grok(1.25, 2.5, 0.2),
      context: 1_000_000,
      aliases: ["grok-4.20-0309-reasoning", "grok-4.20-0309-non-reasoning"],
    },
    "grok-4-1-fast": {
      price: GROK_4_FAST,
      context: 2_000_000,
      aliases: ["grok-4-1-fast-reasoning", "grok-4-1-fast-non-reasoning"],
    },
    "grok-4-fast": {
      price: GROK_4_FAST,
      context: 2_000_000,
      aliases: ["grok-4-fast-reasoning", "grok-4-fast-non-reasoning"],
    },
    "grok-4": {
      price: { input: 3, output: 15, cacheRead: 0.75 },
      context: 256_000,
      aliases: ["grok-4-0709", "grok-4-latest"],
    },
    "grok-code-fast-1": { price: { input: 0.2, output: 1.5, cacheRead: 0.02 }, context: 256_000 },
    "grok-3": {
      price: { input: 3, output: 15, cacheRead: 0.75 },
      context: 131_072,
      aliases: ["grok-3-latest"],
    },
    "grok-3-mini": {
      price: { input: 0.3, output: 0.5, cacheRead: 0.075 },
      context: 131_072,
      aliases: ["grok-3-mini-latest"],
    },
  },
};

const MISTRAL_SHEET: PriceSheet = {
  owner: "mistral",
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
};

const COHERE_SHEET: PriceSheet = {
  owner: "cohere",
  currency: "USD",
  source: "https://cohere.com/pricing",
  asOf: "2026-09-23",
  confidence: "secondary",
  models: {
    "command-a-03-2025": { price: { input: 2.5, output: 10 }, context: 256_000, outputLimit: 8000 },
    "command-r-plus-08-2024": { price: { input: 2.5, output: 10 }, context: 128_000, outputLimit: 4000 },
    "command-r-08-2024": { price: { input: 0.15, output: 0.6 }, context: 128_000, outputLimit: 4000 },
    "command-r7b-12-2024": { price: { input: 0.0375, output: 0.15 }, context: 128_000, outputLimit: 4000 },
    "embed-v4.0": { price: { input: 0.12 }, writesNothing: true, context: 128_000 },
    "rerank-v3.5": { price: { perThousandSearches: 2 }, writesNothing: true },
  },
};

/** The vendors whose list is in USD, but for OpenAI, Anthropic and Google. */
export const OVERSEAS_SHEETS: readonly PriceSheet[] = [XAI_SHEET, MISTRAL_SHEET, COHERE_SHEET];
