import type { ModelPriceEntry, TierPrices } from "@tollgate/contract/management/model-price";
import type { ModelFacts } from "@tollgate/contract/relay/client-api";
import { divideDown, formatDecimal, parseDecimal, simplify, ZERO } from "@tollgate/contract/values/decimal";
import {
  MODEL_FEATURES,
  type ModelAbilities,
  type ModelFeature,
} from "@tollgate/contract/values/model-abilities";

const MILLION = { digits: 1_000_000n, scale: 0 };
/** A billionth of a dollar per million tokens is the smallest price. */
const PLACES = 15;

/** USD per token, as decimal text: a binary fraction would show digits that are not of the price. */
const perToken = (usdPerMillion: number): string =>
  formatDecimal(simplify(divideDown(parseDecimal(usdPerMillion) ?? ZERO, MILLION, PLACES)));

/** OpenRouter's names of the classes of tokens; those of audio and of one-hour writes are additions in its style. */
const CLASS_NAMES = {
  input: "prompt",
  output: "completion",
  cacheRead: "input_cache_read",
  cacheWrite5m: "input_cache_write",
  cacheWrite1h: "input_cache_write_1h",
  audioInput: "audio",
  audioOutput: "audio_output",
} as const;

type ClassPrices = Omit<TierPrices, "aboveTokens">;

const describeClasses = (prices: ClassPrices): Record<string, string> => {
  const hasAudio = prices.audioInput !== prices.input || prices.audioOutput !== prices.output;
  const described: Record<string, string> = {};
  for (const [name, shown] of Object.entries(CLASS_NAMES) as [keyof typeof CLASS_NAMES, string][]) {
    const usd = prices[name];
    const isAudio = name === "audioInput" || name === "audioOutput";
    if (usd !== undefined && (hasAudio || !isAudio)) described[shown] = perToken(usd);
  }
  return described;
};

/** A price in the shape of OpenRouter's model list. */
const describePrice = (price: ModelPriceEntry) => {
  if ("perCall" in price) return { request: formatDecimal(parseDecimal(price.perCall) ?? ZERO) };
  const tiers = price.tiers?.map((tier) => ({ above_tokens: tier.aboveTokens, ...describeClasses(tier) }));
  return { ...describeClasses(price), ...(tiers ? { tiers } : {}) };
};

/** OpenRouter's names of the parameters that a feature stands for. */
const PARAMETERS: Readonly<Partial<Record<ModelFeature, readonly string[]>>> = {
  tools: ["tools", "tool_choice"],
  structured: ["structured_outputs", "response_format"],
  reasoning: ["reasoning", "reasoning_effort"],
};

/** What a model can do, in the shape of OpenRouter's model list; only what is known, so that a missing word means nothing. */
const describeAbilities = ({ inputs, outputs, features = {} }: ModelAbilities) => {
  const reads = inputs && [...inputs, ...(features.files ? ["file"] : [])];
  const parameters = MODEL_FEATURES.flatMap((name) => (features[name] ? (PARAMETERS[name] ?? []) : []));
  return {
    ...(reads || outputs
      ? {
          architecture: {
            ...(reads ? { input_modalities: reads } : {}),
            ...(outputs ? { output_modalities: [...outputs] } : {}),
          },
        }
      : {}),
    ...(parameters.length > 0 ? { supported_parameters: parameters } : {}),
  };
};

const writeFacts = ({ context, outputLimit, abilities, traits, endpointTypes, price }: ModelFacts) => ({
  ...(context === undefined ? {} : { context_length: context }),
  ...(context === undefined && outputLimit === undefined
    ? {}
    : { top_provider: { context_length: context, max_completion_tokens: outputLimit } }),
  ...(outputLimit === undefined ? {} : { max_output_tokens: outputLimit }),
  ...(abilities ? describeAbilities(abilities) : {}),
  ...(price ? { pricing: describePrice(price) } : {}),
  ...(endpointTypes.length > 0 ? { supported_endpoint_types: endpointTypes } : {}),
  ...(traits.length > 0 ? { traits } : {}),
});

const written = new WeakMap<ModelFacts, ReturnType<typeof writeFacts>>();

/**
 * Facts about a model in the shape of OpenRouter's model list, which clients read, with new-api's
 * `supported_endpoint_types`. Unknown facts are missing. The same facts are
 * described once: lists of thousands of models are asked for often.
 */
export const describeFacts = (facts: ModelFacts): ReturnType<typeof writeFacts> => {
  let known = written.get(facts);
  if (!known) {
    known = writeFacts(facts);
    written.set(facts, known);
  }
  return known;
};
