import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { isObject } from "@tollgate/contract/values/is-object";
import {
  dearerOf,
  MAX_TIERS,
  type PriceName,
  PriceRefused,
  perCallPrice,
  type RawPrices,
  type RawTier,
  tokenPrice,
} from "./read-price";
import { type PriceOffer, readTokens } from "./source-price";
import { isWordlessName } from "./wordless-name";

/*
 * LiteLLM's table (model_prices_and_context_window.json of https://github.com/BerriAI/litellm): a flat object of names,
 * some prefixed with the seller ("gemini/gemini-2.5-pro"). Prices are USD per token, image, second, character or query;
 * "…_above_200k_tokens" is the price of longer prompts.
 */

const MILLION = { digits: 1_000_000n, scale: 0 };
const ONE_CALL = { digits: 1n, scale: 0 };
/** Units in prompt tokens: metering/unit-price.ts. */
const SECOND = { digits: 300_000n, scale: 0 };
const QUERY = { digits: 1_000n, scale: 0 };

const FIELDS: Readonly<Record<PriceName, string>> = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cacheRead: "cache_read_input_token_cost",
  cacheWrite5m: "cache_creation_input_token_cost",
  cacheWrite1h: "cache_creation_input_token_cost_above_1hr",
  audioInput: "input_cost_per_audio_token",
  audioOutput: "output_cost_per_audio_token",
};
const NAMES = Object.entries(FIELDS) as [PriceName, string][];

const rawOf = (facts: Record<string, unknown>, ending = ""): RawPrices => {
  const raw: RawPrices = {};
  for (const [name, field] of NAMES) raw[name] = facts[field + ending];
  // Reasoning is output here: if it has its own price, the dearer one applies.
  raw.output = dearerOf(raw.output, facts[`output_cost_per_reasoning_token${ending}`]);
  return raw;
};

const LONGER = /^input_cost_per_token(_above_(\d{1,5})k_tokens)$/;

const tiersOf = (facts: Record<string, unknown>): RawTier[] => {
  const tiers: RawTier[] = [];
  for (const field of Object.keys(facts)) {
    const match = LONGER.exec(field);
    // One more than the maximum is enough for the price to be refused.
    if (tiers.length > MAX_TIERS) break;
    if (match) tiers.push({ aboveTokens: Number(match[2]) * 1000, prices: rawOf(facts, match[1]) });
  }
  return tiers;
};

/** Steps of lengths instead of one price ("tiered_pricing"): the first step is the price, the others its tiers. */
const stepsOf = (steps: readonly unknown[]): { first: RawPrices; further: RawTier[] } => {
  const [first, ...further] = steps.map((step) => {
    const [from] = isObject(step) && Array.isArray(step.range) ? (step.range as unknown[]) : [];
    if (!isObject(step) || typeof from !== "number") throw new PriceRefused("tiers");
    return { aboveTokens: from, prices: rawOf(step) };
  });
  if (first?.aboveTokens !== 0) throw new PriceRefused("tiers");
  return { first: first.prices, further };
};

/** Kinds of models with output tokens. */
const WRITING: ReadonlySet<unknown> = new Set(["chat", "completion", "responses", undefined]);

const priceOf = (model: string, facts: Record<string, unknown>): ModelPriceEntry => {
  const { mode } = facts;
  if (mode === "image_generation") {
    const perImage = facts.output_cost_per_image ?? facts.input_cost_per_image;
    if (perImage !== undefined) return perCallPrice(perImage, ONE_CALL);
  }
  if (facts.input_cost_per_token === undefined) {
    if (mode === "audio_transcription" && facts.input_cost_per_second !== undefined)
      return tokenPrice({ input: facts.input_cost_per_second }, [], SECOND, true);
    if (mode === "audio_speech" && facts.input_cost_per_character !== undefined)
      return tokenPrice({ input: facts.input_cost_per_character }, [], MILLION, true);
  }
  if (mode === "rerank" && facts.input_cost_per_query !== undefined)
    return tokenPrice({ input: facts.input_cost_per_query }, [], QUERY, true);
  const isWordless = !WRITING.has(mode) || isWordlessName(model);
  if (Array.isArray(facts.tiered_pricing)) {
    const { first, further } = stepsOf(facts.tiered_pricing);
    return tokenPrice(first, further, MILLION, isWordless);
  }
  return tokenPrice(rawOf(facts), tiersOf(facts), MILLION, isWordless);
};

/** Entries other than models: an example of all fields, and searches without a model. */
const isNoModel = (name: string, mode: unknown): boolean => name === "sample_spec" || mode === "search";

const isEntry = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && typeof value.litellm_provider === "string";

export const isLitellm = (document: Record<string, unknown>): boolean =>
  Object.values(document).some(isEntry);

/** A name without its seller's prefix, if its entry names that seller. */
const withoutSeller = (name: string, seller: string): string =>
  name.startsWith(`${seller}/`) ? name.slice(seller.length + 1) : name;

/** Reads each seller's price of each model, under the table's name and under the one without the seller. */
export function* readLitellm(document: Record<string, unknown>): Generator<PriceOffer> {
  for (const [name, facts] of Object.entries(document)) {
    if (!isEntry(facts) || isNoModel(name, facts.mode)) continue;
    const seller = String(facts.litellm_provider);
    let offer: PriceOffer;
    try {
      offer = {
        model: name,
        seller,
        price: priceOf(name, facts),
        context: readTokens(facts.max_input_tokens),
        outputLimit: readTokens(facts.max_output_tokens),
      };
    } catch (error) {
      if (!(error instanceof PriceRefused)) throw error;
      offer = { model: name, seller, fault: error.fault };
    }
    yield offer;
    const bare = withoutSeller(name, seller);
    if (bare !== name) yield { ...offer, model: bare };
  }
}
