import * as z from "zod/mini";
import { modelPriceEntrySchema } from "../management/model-price";
import { appliedRuleSchema } from "../management/price-rule";
import { endpoint } from "../resource/endpoint";
import { plain } from "../resource/resource";
import { MODALITIES, MODEL_FEATURES } from "../values/model-abilities";

/*
 * GET /api/pricing: prices of models for the reader. Names and ratios are those of new-api's answer at this address,
 * which other gateways read (vendors/price-sources/gateway-pricing.ts); fields of this product stand beside them.
 */

/** Known uses and prices of a model in the catalogue; unknown ones are missing. */
export const MODEL_TRAITS = [
  "chat",
  "image",
  "audio",
  "speech",
  "transcription",
  "rerank",
  "vectors",
  "cache",
] as const;
export type ModelTrait = (typeof MODEL_TRAITS)[number];

const pricedModelSchema = z.object({
  model_name: z.string(),
  /** Of `vendors`; absent where the catalogue does not know whose it is. */
  vendor_id: z.optional(z.int()),
  /** 0: by tokens, 1: by the call. */
  quota_type: z.int(),
  /** 1 is 2 USD for a million prompt tokens; the others are factors of it. */
  model_ratio: z.number(),
  /** USD for a call. */
  model_price: z.number(),
  completion_ratio: z.optional(z.number()),
  cache_ratio: z.optional(z.number()),
  create_cache_ratio: z.optional(z.number()),
  audio_ratio: z.optional(z.number()),
  audio_completion_ratio: z.optional(z.number()),
  /** Of the groups that the reader may use, those that offer it now. */
  enable_groups: z.array(z.string()),
  supported_endpoint_types: z.array(z.string()),
  /** USD at a group's ratio of 1. */
  price: modelPriceEntrySchema,
  /** Present where a price rule applies to the reader: the model's final price in that group. */
  own: z.optional(
    z.array(z.object({ group: z.string(), price: modelPriceEntrySchema, rule: appliedRuleSchema })),
  ),
  /** Tokens of prompt and answer together, and the most of one answer. */
  context: z.optional(z.int()),
  output_limit: z.optional(z.int()),
  traits: z.optional(z.array(z.enum(MODEL_TRAITS))),
  /** Everything that it reads, and everything that it writes; absent where that is not known. */
  inputs: z.optional(z.array(z.enum(MODALITIES))),
  outputs: z.optional(z.array(z.enum(MODALITIES))),
  /** What it can do and what it cannot do; a missing one is not known. */
  features: z.optional(z.partialRecord(z.enum(MODEL_FEATURES), z.boolean())),
});
export type PricedModel = z.infer<typeof pricedModelSchema>;

/** The whole answer, with the fields beside `data`. */
const pricingAnswerSchema = z.object({
  data: z.array(pricedModelSchema),
  vendors: z.array(z.object({ id: z.int(), name: z.string() })),
  /** The groups that the reader may use: their ratios for the reader, and their descriptions. */
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
  auto_groups: z.array(z.string()),
  /** The same in order, ratios as decimals. */
  groups: z.array(
    z.object({ name: z.string(), description: z.string(), ratio: z.string(), is_own: z.boolean() }),
  ),
  pricing_version: z.string(),
});
export type PricingAnswer = z.infer<typeof pricingAnswerSchema>;

export const getPricing = endpoint({
  method: "GET",
  path: "/api/pricing",
  guard: "none",
  mayRefuseGuests: true,
  summary: "The prices of models for the reader in each usable group, in the shape of new-api's answer",
  data: plain(pricingAnswerSchema),
  isEnvelope: true,
  reads: "pricing",
});
