import type { TokenPrices } from "@tollgate/contract/management/model-price";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { DEMO_MODELS } from "@tollgate/demo/world";
import { priceAnswer } from "@tollgate/metering/bill";
import { findPrice, type PriceBook } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { listModels, usdPricesOf } from "@tollgate/vendors/catalogue/list-prices";
import { describe, expect, it } from "vitest";
import { DEFAULT_MODEL_RATIOS, findListPrice } from "./list-prices";

const book: PriceBook = {
  modelRatios: parseRatioTable(JSON.stringify(DEFAULT_MODEL_RATIOS))!,
  groupRatios: parseRatioTable('{"default":1}')!,
  findListPrice,
};
const NOW = Date.parse("2026-11-22");
const priceOf = (model: string) => findPrice(book, model, "default", NOW)!;

const QUOTA_PER_USD = 500_000;
const MILLION = 1_000_000;

describe("the charge of a model of today, by default (M6)", () => {
  // USD per million tokens: input, cache reads, output. From the vendors' lists.
  it.each([
    ["gpt-6.1-sol", 2, 0.1, 10],
    ["gpt-6-luna", 0.1, 0.01, 0.5],
    ["gpt-5.6-terra", 2, 0.2, 12],
    ["gpt-5.4", 2.5, 0.25, 15],
    ["gpt-5", 1.25, 0.125, 10],
    ["gpt-5-mini-2025-08-07", 0.25, 0.025, 2],
    ["gpt-4.1-nano", 0.1, 0.025, 0.4],
    ["gpt-4o-2024-11-20", 2.5, 1.25, 10],
    ["gpt-4o-2024-05-13", 5, 5, 15],
    ["o4-mini", 1.1, 0.275, 4.4],
    ["gpt-3.5-turbo", 0.5, 0.5, 1.5],
    ["claude-opus-5-5", 4, 0.2, 20],
    ["claude-sonnet-5-5", 2, 0.1, 10],
    ["claude-sonnet-4-5-20250929", 3, 0.3, 15],
    ["claude-haiku-4-5@20251001", 1, 0.1, 5],
    ["global.anthropic.claude-haiku-4-5-20251001-v1:0", 1, 0.1, 5],
    ["models/gemini-2.5-pro", 1.25, 0.125, 10],
    ["gemini-2.5-flash", 0.3, 0.03, 2.5],
    ["grok-4.3", 1.25, 0.2, 2.5],
    ["mistral-large-latest", 0.5, 0.05, 1.5],
    ["openai/gpt-oss-120b", 0.15, 0.075, 0.6],
    // CNY at 7 to the dollar.
    ["deepseek-v4-pro", 9 / 7, 0.3 / 7, 27 / 7],
    ["deepseek-chat", 2 / 7, 0.04 / 7, 8 / 7],
    ["kimi-k3", 20 / 7, 2 / 7, 100 / 7],
    ["glm-5.3", 8 / 7, 2 / 7, 28 / 7],
    ["qwen-turbo", 0.3 / 7, 0.06 / 7, 3 / 7],
    ["MiniMax-M2.7", 0.3, 0.06, 1.2],
  ])("%s costs its list price, to the point of quota", (model, input, cacheRead, output) => {
    const price = priceOf(model);
    // A hundred requests of ten thousand tokens: short of every price for longer prompts.
    const [read, cached, written] = [
      priceAnswer(price, 10_000, 0).quota,
      priceAnswer(price, 10_000, 0, { ...NO_USAGE, cacheReadTokens: 10_000 }).quota,
      priceAnswer(price, 0, 10_000).quota,
    ];
    const quotaOf = (usd: number): number => Math.max(1, Math.ceil(usd * 0.01 * QUOTA_PER_USD - 0.01));
    expect([read, cached, written]).toEqual([quotaOf(input), quotaOf(cacheRead), quotaOf(output)]);
  });

  it.each([
    ["gpt-5.4", 272_000, 2.5, 15, 5, 22.5],
    ["gemini-2.5-pro", 200_000, 1.25, 10, 2.5, 15],
    ["claude-haiku-5-5", 100_000, 0.1, 0.5, 0.5, 2.5],
    ["grok-4.6", 199_999, 2, 6, 4, 12],
  ])("%s costs more past %i tokens", (model, above, input, output, longInput, longOutput) => {
    const cost = (tokens: number, i: number, o: number): number =>
      Math.ceil(((tokens * i + 1000 * o) * QUOTA_PER_USD) / MILLION);
    expect(priceAnswer(priceOf(model), above, 1000).quota).toBe(cost(above, input, output));
    expect(priceAnswer(priceOf(model), above + 1, 1000).quota).toBe(cost(above + 1, longInput, longOutput));
  });

  it.each([
    ["dall-e-3", 20],
    ["tts-1", 7.5],
    ["whisper-1", 15],
    ["gpt-4", 15],
    ["claude-2", 5.51],
    ["ERNIE-Bot", 0.8572],
    ["text-embedding-ada-002", 0.05],
  ])("%s keeps the contract's ratio, which is still its price", (model, ratio) => {
    expect(DEFAULT_MODEL_RATIOS[model]).toBe(ratio);
  });
});

const CLASSES = [
  "input",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "audioInput",
  "output",
  "audioOutput",
] as const;

const quotaOfMillion = (usd: number): number => usd * QUOTA_PER_USD;

/** The list price of a class: unnamed cached and audio tokens cost the same as other tokens. */
const listed = (prices: TokenPrices, name: (typeof CLASSES)[number]): number =>
  prices[name] ??
  (name === "output" ? Number.NaN : name === "audioOutput" ? (prices.output ?? Number.NaN) : prices.input);

describe("ratio and completion ratio of every model of the catalogue", () => {
  const priced = listModels().filter((entry) => usdPricesOf(entry).length > 0);

  it.each(priced)(
    "$name: a million tokens of each class cost the list's money, within one point",
    (entry) => {
      const price = priceOf(entry.name);
      const [prices] = usdPricesOf(entry) as [TokenPrices];
      const lists: readonly TokenPrices[] = [prices, ...(prices.tiers ?? [])];
      expect(price.tiers).toHaveLength(lists.length);
      for (const [index, list] of lists.entries()) {
        const tier = price.tiers[index]!;
        for (const name of CLASSES) {
          const usd = listed(list, name);
          if (Number.isNaN(usd)) continue;
          const { digits, scale } = tier.perToken[name];
          const quota = Number(digits * BigInt(MILLION)) / 10 ** scale;
          expect(Math.abs(quota - quotaOfMillion(usd))).toBeLessThan(1);
        }
      }
      expect(price.isOutputPriced).toBe(entry.facts.writesNothing !== true);
    },
  );
});

describe("the demo", () => {
  it.each(DEMO_MODELS)("charges $name as the product does by default", ({ name, ratio, completionRatio }) => {
    expect(Number(ratio)).toBe(DEFAULT_MODEL_RATIOS[name]);
    expect(Number(completionRatio)).toBe(
      priceAnswer(priceOf(name), 0, 10_000).quota / priceAnswer(priceOf(name), 10_000, 0).quota,
    );
  });
});
