import { MAX_MISSING, type MissingPrice, type MissingPrices } from "@tollgate/contract/management/price-sync";
import type { PriceBook } from "@tollgate/metering/price";
import { isWordlessName } from "@tollgate/vendors/price-sources/wordless-name";
import { listedPriceNow } from "./catalogue-prices";
import { groupless } from "./effective-price";
import type { OfferedModel } from "./offered-models";

/** Why a model's requests would be refused for want of a price; undefined where they are not. */
const reasonOf = (book: PriceBook, model: string, nowMs: number): MissingPrice["reason"] | undefined => {
  const price = groupless(book, model, nowMs);
  const listed = book.findListPrice?.(model);
  if (!price) return listed && listed.entries.length > 0 ? "left-out" : "unknown";
  // A model listed without an output price, or with such a name, writes no text.
  const isWordless = (listed !== undefined && listed.entries.length > 0) || isWordlessName(model);
  return price.isOutputPriced || isWordless ? undefined : "output-unknown";
};

/** Offered models without a price, or without one for their output, sorted by name. */
export const missingPrices = (
  book: PriceBook,
  offered: ReadonlyMap<string, OfferedModel>,
  nowMs: number,
): MissingPrice[] => {
  const missing: MissingPrice[] = [];
  for (const [model, { channels, channelCount }] of offered) {
    const reason = reasonOf(book, model, nowMs);
    if (!reason) continue;
    const price = listedPriceNow(model, nowMs);
    const more = channelCount - channels.length;
    missing.push({
      model,
      reason,
      channels,
      ...(more > 0 ? { more_channels: more } : {}),
      ...(price ? { price } : {}),
    });
  }
  return missing.sort((a, b) => (a.model < b.model ? -1 : 1));
};

/** The first of the missing prices, and how many are left out. */
export const firstMissing = (missing: readonly MissingPrice[]): Omit<MissingPrices, "price_version"> => {
  const more = missing.length - MAX_MISSING;
  return { models: missing.slice(0, MAX_MISSING), ...(more > 0 ? { more_models: more } : {}) };
};
