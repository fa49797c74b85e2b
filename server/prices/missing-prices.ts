import type { MissingPrice } from "@tollgate/contract/management/price-sync";
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
  for (const [model, { channels }] of offered) {
    const reason = reasonOf(book, model, nowMs);
    if (!reason) continue;
    const price = listedPriceNow(model, nowMs);
    missing.push({ model, reason, channels, ...(price ? { price } : {}) });
  }
  return missing.sort((a, b) => (a.model < b.model ? -1 : 1));
};
