import type { TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";
import { ACTS, seeing, THINKS } from "./catalogue/abilities";
import { byRatio, contractSheet } from "./catalogue/contract-sheet";
import { defineVendor } from "./define-vendor";

/**
 * Cached tokens cost factors of the input: by default 1.25 to write for five minutes, 2 for an hour, and 0.1 to read.
 */
const priced = (
  input: number,
  output: number,
  cacheRead: number = Math.round(input * 1e5) / 1e6,
): TokenPrices & { output: number } => ({
  input,
  output,
  cacheRead,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
});

const SONNET_LONG: TierPrices = { aboveTokens: 200_000, ...priced(6, 22.5) };

// https://platform.claude.com/docs/en/about-claude/models/overview; schemas:
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs
const CLAUDE = seeing({ ...THINKS, files: true });
/** From before schemas. */
const CLAUDE_OLD = seeing({ ...ACTS, files: true });
const CLAUDE_3 = seeing({ tools: true, reasoning: false });

const MILLION = { context: 1_000_000, outputLimit: 128_000, abilities: CLAUDE } as const;
const CLAUDE_4 = { context: 200_000, outputLimit: 64_000, abilities: CLAUDE } as const;
const OPUS_4 = { context: 200_000, outputLimit: 32_000, abilities: CLAUDE_OLD } as const;
const CLAUDE_3_5 = { context: 200_000, outputLimit: 8192, abilities: CLAUDE_3 } as const;

const ANTHROPIC = { id: "anthropic", name: "Anthropic" };

export const anthropic = defineVendor({
  type: 14,
  name: "Anthropic Claude",
  providerName: "anthropic",
  color: "black",
  baseUrl: "https://api.anthropic.com",
  keyShape: /^sk-ant-/,
  route: {
    protocol: "anthropic-messages",
    auth: "x-api-key",
    headers: { "anthropic-version": "2023-06-01" },
  },
  models: [
    "claude-fable-5-1",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-opus-4-5",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
  ],
  // https://platform.claude.com/docs/en/about-claude/pricing
  toolPrices: {
    web_search: 10,
    // An hour of a container for each call (0.05 USD).
    code_execution: 50,
  },
  prices: [
    // The aliases are the names that Bedrock, OpenRouter and others spell with dots.
    {
      owner: ANTHROPIC,
      currency: "USD",
      source: "https://platform.claude.com/docs/en/about-claude/pricing",
      asOf: "2026-10-24",
      confidence: "vendor page",
      // Bedrock where it charges the list price (not in "au." and "jp."): "us.anthropic.claude-sonnet-4-5-20250929-v1:0".
      resoldAs: [/^anthropic\//, /^(?:(?:us|eu|global)\.)?anthropic\./],
      models: {
        "claude-fable-5-1": { price: priced(10, 50, 0.25), ...MILLION, aliases: ["claude-fable-5.1"] },
        "claude-fable-5": { price: priced(10, 50), ...MILLION },
        "claude-opus-5-5": { price: priced(4, 20, 0.2), ...MILLION, aliases: ["claude-opus-5.5"] },
        "claude-sonnet-5-5": { price: priced(2, 10, 0.1), ...MILLION, aliases: ["claude-sonnet-5.5"] },
        "claude-haiku-5-5": {
          price: { ...priced(0.1, 0.5), tiers: [{ aboveTokens: 100_000, ...priced(0.5, 2.5) }] },
          ...MILLION,
          aliases: ["claude-haiku-5.5"],
          confidence: "secondary",
        },
        "claude-opus-5": { price: priced(5, 25), ...MILLION },
        "claude-sonnet-5": { price: priced(2, 10), ...MILLION },
        "claude-opus-4-8": { price: priced(5, 25), ...MILLION, aliases: ["claude-opus-4.8"] },
        "claude-opus-4-7": { price: priced(5, 25), ...MILLION, aliases: ["claude-opus-4.7"] },
        "claude-opus-4-6": { price: priced(5, 25), ...MILLION, aliases: ["claude-opus-4.6"] },
        "claude-sonnet-4-6": { price: priced(3, 15), ...MILLION, aliases: ["claude-sonnet-4.6"] },
        "claude-opus-4-5": { price: priced(5, 25), ...CLAUDE_4, aliases: ["claude-opus-4.5"] },
        "claude-sonnet-4-5": {
          price: { ...priced(3, 15), tiers: [SONNET_LONG] },
          ...CLAUDE_4,
          context: 1_000_000,
          aliases: ["claude-sonnet-4.5"],
          confidence: "secondary",
        },
        "claude-haiku-4-5": { price: priced(1, 5), ...CLAUDE_4, aliases: ["claude-haiku-4.5"] },
        "claude-opus-4-1": {
          price: priced(15, 75),
          ...OPUS_4,
          abilities: CLAUDE,
          aliases: ["claude-opus-4.1"],
        },
        "claude-opus-4-0": { price: priced(15, 75), ...OPUS_4, aliases: ["claude-opus-4"] },
        "claude-sonnet-4-0": {
          price: priced(3, 15),
          ...CLAUDE_4,
          abilities: CLAUDE_OLD,
          aliases: ["claude-sonnet-4"],
        },
        "claude-3-7-sonnet": {
          price: priced(3, 15),
          confidence: "secondary",
          ...CLAUDE_4,
          abilities: CLAUDE_OLD,
          aliases: ["claude-3-7-sonnet-latest", "claude-3.7-sonnet"],
        },
        "claude-3-5-sonnet": {
          price: priced(3, 15),
          confidence: "secondary",
          ...CLAUDE_3_5,
          aliases: ["claude-3-5-sonnet-latest", "claude-3.5-sonnet"],
        },
        "claude-3-5-haiku": {
          price: priced(0.8, 4),
          confidence: "secondary",
          ...CLAUDE_3_5,
          aliases: ["claude-3-5-haiku-latest", "claude-3.5-haiku"],
        },
        "claude-3-opus": {
          price: priced(15, 75),
          confidence: "secondary",
          context: 200_000,
          outputLimit: 4096,
          abilities: CLAUDE_3,
          aliases: ["claude-3-opus-latest"],
        },
        "claude-3-sonnet": {
          price: priced(3, 15),
          confidence: "secondary",
          context: 200_000,
          outputLimit: 4096,
          abilities: CLAUDE_3,
        },
        "claude-3-haiku": {
          price: { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite5m: 0.3, cacheWrite1h: 0.5 },
          confidence: "secondary",
          context: 200_000,
          outputLimit: 4096,
          abilities: CLAUDE_3,
        },
      },
    },
    contractSheet(ANTHROPIC, {
      "claude-instant-1": byRatio(0.815, 3.38),
      "claude-2": byRatio(5.51, 2.965517),
      "claude-2.0": byRatio(5.51, 2.965517),
      "claude-2.1": byRatio(5.51, 2.965517),
    }),
  ],
});
