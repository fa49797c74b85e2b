import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { formatDecimal, multiply, parseDecimal } from "@tollgate/contract/values/decimal";
import { isObject } from "@tollgate/contract/values/is-object";
import { PriceRefused, perCallPrice, tokenPrice } from "./read-price";
import type { PriceOffer } from "./source-price";

/*
 * The answer of new-api and its relatives to GET /api/pricing: `data` is a list of models (model/pricing.go of
 * https://github.com/QuantumNous/new-api). A ratio of 1 is 2 USD per million prompt tokens, all other ratios are
 * factors of it; `quota_type` 1 is a price per call in USD. Group ratios concern only the other gateway and are
 * ignored.
 */

const USD_OF_A_RATIO = { digits: 2n, scale: 0 };
const ONE_CALL = { digits: 1n, scale: 0 };

/** The product of ratios as text; undefined when one is missing. */
const product = (...ratios: unknown[]): string | undefined => {
  let all = { digits: 1n, scale: 0 };
  for (const ratio of ratios) {
    if (ratio === undefined || ratio === null) return undefined;
    const read = typeof ratio === "number" || typeof ratio === "string" ? parseDecimal(ratio) : undefined;
    if (read === undefined) throw new PriceRefused("not-a-price");
    all = multiply(all, read);
  }
  return formatDecimal(all);
};

const priceOf = (facts: Record<string, unknown>): ModelPriceEntry => {
  // A formula in its own language cannot be expressed in a price table.
  if (facts.billing_mode !== undefined && facts.billing_mode !== "") throw new PriceRefused("unit");
  if (facts.quota_type === 1) return perCallPrice(facts.model_price, ONE_CALL);
  const { model_ratio: ratio } = facts;
  return tokenPrice(
    {
      input: product(ratio),
      output: product(ratio, facts.completion_ratio),
      cacheRead: product(ratio, facts.cache_ratio),
      cacheWrite5m: product(ratio, facts.create_cache_ratio),
      audioInput: product(ratio, facts.audio_ratio),
      audioOutput: product(ratio, facts.audio_ratio, facts.audio_completion_ratio),
    },
    [],
    USD_OF_A_RATIO,
    false,
  );
};

const isEntry = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && typeof value.model_name === "string";

export const isGatewayPricing = (document: Record<string, unknown>): boolean =>
  Array.isArray(document.data) && document.data.some(isEntry);

/** Reads the gateway's prices of its models. */
export function* readGatewayPricing(document: Record<string, unknown>): Generator<PriceOffer> {
  const entries: unknown[] = Array.isArray(document.data) ? document.data : [];
  for (const facts of entries) {
    if (!isEntry(facts)) continue;
    const model = String(facts.model_name);
    try {
      yield { model, seller: "", price: priceOf(facts) };
    } catch (error) {
      if (!(error instanceof PriceRefused)) throw error;
      yield { model, seller: "", fault: error.fault };
    }
  }
}
