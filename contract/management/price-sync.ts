import * as z from "zod/mini";
import { PRICE_PARTS } from "../values/token-prices";
import { modelPriceEntrySchema } from "./model-price";
import { looseList } from "./wire";

/*
 * Bringing prices up to date: /api/prices. Not part of the one-api contract. Prices are as in the option ModelPrice: USD per million
 * tokens, or per call.
 */

/**
 * Where prices come from: models.dev's or LiteLLM's list, the product's own catalogue, an address that root names, or a document
 * that is sent along. The last two are of any shape that is known (docs/guides/prices-and-models.md).
 */
export const PRICE_SOURCES = ["models.dev", "litellm", "catalogue", "url", "document"] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

export const priceDifferenceSchema = z.object({
  part: z.enum(PRICE_PARTS),
  /** Of prompts of more than so many tokens; 0 for all. */
  above_tokens: z.int(),
  /** USD; absent where it is not known, or not charged so. */
  old: z.optional(z.number()),
  next: z.optional(z.number()),
  /** By how much it becomes dearer; absent where there is nothing to compare with. */
  percent: z.optional(z.number()),
});
export type PriceDifference = z.infer<typeof priceDifferenceSchema>;

/**
 * How a model's price stands to the source's: it has none yet; it differs; it is the same; the source does not name the model; or
 * the source's cannot be used.
 */
export const PRICE_STATES = ["new", "changed", "same", "gone", "refused"] as const;
export type PriceState = (typeof PRICE_STATES)[number];

/** Why a source's price is not offered. */
export const PRICE_FAULTS = [
  /** No number, or below zero. */
  "not-a-price",
  /** Models are not given away for long on purpose, but by a typing mistake. */
  "zero",
  /** Far above any model's price: another unit than the document's. */
  "too-high",
  /** A model that writes, without an output price. */
  "output-missing",
  /** Charged by something that is no price here: pixels, a formula. */
  "unit",
  /** Lengths of prompts that do not rise, or half a price list for one of them. */
  "tiers",
  /** Several sell it at different prices, and none of them makes it. */
  "several-prices",
  /** A thousand times the current price, or a thousandth. */
  "absurd",
] as const;
export type PriceFault = (typeof PRICE_FAULTS)[number];

export const priceRowSchema = z.object({
  model: z.string(),
  state: z.enum(PRICE_STATES),
  fault: z.optional(z.enum(PRICE_FAULTS)),
  /** Its price stays as it is until it is unlocked. */
  is_locked: z.boolean(),
  /** A channel that is in use offers it. */
  is_offered: z.boolean(),
  /** Who sells at this price, as the source names it. */
  seller: z.string(),
  /** The current price, with everything that follows from it; absent where the model has none. */
  old: z.optional(modelPriceEntrySchema),
  /** The same once the source's price is accepted. */
  next: z.optional(modelPriceEntrySchema),
  /** The entry to accept; absent where there is nothing to. */
  price: z.optional(modelPriceEntrySchema),
  differences: z.array(priceDifferenceSchema),
  /** Tokens, as the source says; for showing only. */
  context: z.optional(z.int()),
  output_limit: z.optional(z.int()),
});
export type PriceRow = z.infer<typeof priceRowSchema>;

/** Bytes of a price list that is read, from its address or as a text. The lists have two to three megabytes, and some thousands of models. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export const pricePreviewBodySchema = z.object({
  source: z.enum(PRICE_SOURCES),
  /** Of the source "url". */
  url: z.optional(z.string().check(z.maxLength(2048))),
  /** Of the source "document": JSON text. */
  document: z.optional(z.string()),
  /** Models that channels in use offer, and those that have a price of their own; all models of the source otherwise. */
  only_offered: z.optional(z.boolean()),
});
export type PricePreviewBody = z.infer<typeof pricePreviewBodySchema>;

export const pricePreviewSchema = z.object({
  /** Version of the prices: the caller that accepts names it, so that no unseen change is overwritten. */
  price_version: z.int(),
  rows: z.array(priceRowSchema),
});
export type PricePreview = z.infer<typeof pricePreviewSchema>;

/** Of one call: more come in several. */
export const MAX_ACCEPTED = 1000;

/** POST /api/prices/accept: `prices` are the rows' by model. */
export const acceptPricesBodySchema = z.object({
  price_version: z.int(),
  source: z.enum(PRICE_SOURCES),
  prices: z
    .record(z.string(), z.unknown())
    .check(z.refine((prices) => Object.keys(prices).length <= MAX_ACCEPTED)),
});
export type AcceptPricesBody = z.infer<typeof acceptPricesBodySchema>;

/** Number of accepted prices, and the new version, for callers that accept more. */
export const acceptedPricesSchema = z.object({ accepted: z.int(), price_version: z.int() });

/** PUT /api/prices/lock */
export const lockPriceBodySchema = z.object({
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  is_locked: z.boolean(),
});

/**
 * Reasons why an offered model has no price: no source names one; the price of its answer is unknown; or the
 * administrator's own table of ratios leaves out the catalogue's.
 */
export const MISSING_REASONS = ["unknown", "output-unknown", "left-out"] as const;

/** An offered model that requests are refused for, because their cost is not known. */
export const missingPriceSchema = z.object({
  /** Under this name a price is looked for: the upstream's, after the channel's mapping. */
  model: z.string(),
  reason: z.enum(MISSING_REASONS),
  /** The first channels that offer it, and the first names under which each does. */
  channels: z.array(z.object({ id: z.int(), name: z.string(), models: z.array(z.string()) })),
  /** How many more channels offer it; absent where all are named. */
  more_channels: z.optional(z.int()),
  /** The catalogue's price. */
  price: z.optional(modelPriceEntrySchema),
});
export type MissingPrice = z.infer<typeof missingPriceSchema>;

/** The most models of an answer. */
export const MAX_MISSING = 1000;

/** The most channels that are named for a model, and names for a channel: thousands may offer each of a thousand models. */
export const MAX_OFFERING = 10;

/** GET /api/prices/missing */
export const missingPricesSchema = z.object({
  price_version: z.int(),
  /** By name. */
  models: z.array(missingPriceSchema),
  /** How many more models have no price; absent where all are listed. */
  more_models: z.optional(z.int()),
});
export type MissingPrices = z.infer<typeof missingPricesSchema>;

const readRows = looseList((item): PriceRow | undefined => {
  const parsed = priceRowSchema.safeParse(item);
  return parsed.success ? parsed.data : undefined;
});

const previewReader = z.object({ price_version: z.int(), rows: z.unknown() });

/** Reads a preview; rows that this version does not understand are left out. */
export const readPricePreview = (value: unknown): PricePreview | undefined => {
  const parsed = previewReader.safeParse(value);
  return parsed.success ? { ...parsed.data, rows: readRows(parsed.data.rows) } : undefined;
};
