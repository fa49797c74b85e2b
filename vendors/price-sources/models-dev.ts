import { ONE } from "@tollgate/contract/values/decimal";
import { isObject } from "@tollgate/contract/values/is-object";
import { dearerOf, PriceRefused, type RawPrices, type RawTier, readUsd, tokenPrice } from "./read-price";
import { type PriceOffer, readTokens } from "./source-price";
import { isWordlessName } from "./wordless-name";

/*
 * models.dev's document (https://models.dev/api.json): sellers by id, each with its models by id. `cost` is USD per
 * million tokens; `tiers` contain their threshold in tokens, older documents have `context_over_200k`. Its schema is
 * packages/core/src/schema.ts of https://github.com/anomalyco/models.dev.
 */

/** A minute of a recording counts as 200 prompt tokens (metering/unit-price.ts). */
const TOKENS_OF_A_MINUTE = { digits: 5000n, scale: 0 };

const rawOf = (cost: Record<string, unknown>): RawPrices => ({
  input: cost.input,
  // Reasoning is output here: if it has its own price, the dearer one applies.
  output: dearerOf(cost.output, cost.reasoning),
  cacheRead: cost.cache_read,
  cacheWrite5m: cost.cache_write,
  audioInput: cost.input_audio,
  audioOutput: cost.output_audio,
});

const OVER_200K = 200_000;

const tiersOf = (cost: Record<string, unknown>): RawTier[] => {
  if (Array.isArray(cost.tiers)) {
    return cost.tiers.map((each: unknown) => {
      if (!isObject(each)) throw new PriceRefused("tiers");
      const size = isObject(each.tier)
        ? each.tier.size
        : isObject(each.context)
          ? each.context.min
          : undefined;
      return { aboveTokens: size, prices: rawOf(each) };
    });
  }
  const over = cost.context_over_200k;
  return isObject(over) ? [{ aboveTokens: OVER_200K, prices: rawOf(over) }] : [];
};

const priceOf = (model: string, cost: Record<string, unknown>) => {
  const perMinute = readUsd(cost.per_minute, TOKENS_OF_A_MINUTE);
  if (perMinute !== undefined) return tokenPrice({ input: cost.per_minute }, [], TOKENS_OF_A_MINUTE, true);
  return tokenPrice(rawOf(cost), tiersOf(cost), ONE, isWordlessName(model));
};

export const isModelsDev = (document: Record<string, unknown>): boolean =>
  Object.values(document).some((seller) => isObject(seller) && isObject(seller.models));

/** Reads each seller's prices of its models. */
export function* readModelsDev(document: Record<string, unknown>): Generator<PriceOffer> {
  for (const [seller, { models }] of Object.entries(document).filter(
    (pair): pair is [string, Record<string, unknown>] => isObject(pair[1]),
  )) {
    if (!isObject(models)) continue;
    for (const [model, facts] of Object.entries(models)) {
      if (!isObject(facts) || !isObject(facts.cost)) continue;
      const limit = isObject(facts.limit) ? facts.limit : {};
      try {
        yield {
          model,
          seller,
          price: priceOf(model, facts.cost),
          context: readTokens(limit.context),
          outputLimit: readTokens(limit.output),
        };
      } catch (error) {
        if (!(error instanceof PriceRefused)) throw error;
        yield { model, seller, fault: error.fault };
      }
    }
  }
}
