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
  // What a list names without a price of output, or what is called so, writes nothing.
  const isWordless = (listed !== undefined && listed.entries.length > 0) || isWordlessName(model);
  return price.isOutputPriced || isWordless ? undefined : "output-unknown";
};

/** The offered models that have no price, or none for what they write, in the order of their names. */
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
