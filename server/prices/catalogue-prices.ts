import { holdsFromMs, type ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { listModels, usdPricesOf } from "@tollgate/vendors/catalogue/list-prices";
import type { PriceDocument, SourcePrice } from "@tollgate/vendors/price-sources/source-price";
import { findListPrice } from "../state/list-prices";

const withoutDate = ({
  from: _,
  ...price
}: ModelPriceEntry & { from?: string | undefined }): ModelPriceEntry => price;

const entryNow = (entries: readonly ModelPriceEntry[], nowMs: number): ModelPriceEntry | undefined => {
  const entry = entries.findLast((each) => holdsFromMs(each) <= nowMs);
  return entry && withoutDate(entry);
};

/** A model's current price in the product's own catalogue, under any of its names. */
export const listedPriceNow = (model: string, nowMs: number): ModelPriceEntry | undefined =>
  entryNow(findListPrice(model)?.entries ?? [], nowMs);

/** The product's own catalogue as a document to compare with. */
export const cataloguePrices = (nowMs: number): Pick<PriceDocument, "prices" | "refused"> => ({
  prices: listModels().flatMap((entry): SourcePrice[] => {
    const price = entryNow(usdPricesOf(entry), nowMs);
    const { facts, sheet, name } = entry;
    return price
      ? [
          {
            model: name,
            seller: sheet.owner.id,
            price,
            context: facts.context,
            outputLimit: facts.outputLimit,
          },
        ]
      : [];
  }),
  refused: [],
});
