import type { ModelPriceEntry, TokenPrices } from "@tollgate/contract/management/model-price";
import type { PriceRow } from "@tollgate/contract/management/price-sync";
import type { PriceBook } from "@tollgate/metering/price";
import { isAbsurd, priceDifferences } from "@tollgate/metering/price-differences";
import type { PriceDocument, PriceOffer } from "@tollgate/vendors/price-sources/source-price";
import { effectivePrice } from "./effective-price";

export interface Comparison {
  book: PriceBook;
  nowMs: number;
  document: Pick<PriceDocument, "prices" | "refused">;
  /** The names under which prices of offered models are looked for. */
  offered: ReadonlySet<string>;
  locked: ReadonlySet<string>;
  /** Omits models that are neither offered nor priced. */
  isOnlyOffered: boolean;
  /** Yields to other waiting work. */
  yieldToOthers(): Promise<void>;
}

/** Number of rows between two yields to other work. */
const ROWS_A_TURN = 50;

const isByToken = (price: ModelPriceEntry | undefined): price is TokenPrices =>
  price !== undefined && "input" in price;

/** Most lists omit audio prices: the current ones stay, where they differ from those of text. */
const keepingSound = (price: ModelPriceEntry, old: ModelPriceEntry | undefined): ModelPriceEntry => {
  if (!isByToken(price) || !isByToken(old)) return price;
  const kept = {
    ...(price.audioInput === undefined && old.audioInput !== old.input ? { audioInput: old.audioInput } : {}),
    ...(price.audioOutput === undefined && old.audioOutput !== old.output
      ? { audioOutput: old.audioOutput }
      : {}),
  };
  return {
    ...price,
    ...kept,
    ...(price.tiers ? { tiers: price.tiers.map((tier) => ({ ...tier, ...kept })) } : {}),
  };
};

/** A model of the document, beside its current price. */
const rowOf = (
  { book, nowMs, offered, locked }: Comparison,
  offer: PriceOffer | { model: string; seller: string },
): PriceRow => {
  const { model, seller } = offer;
  const old = effectivePrice(book, model, nowMs);
  const common = {
    model,
    seller,
    is_locked: locked.has(model),
    is_offered: offered.has(model),
    ...(old ? { old } : {}),
    differences: [],
  };
  if (!("price" in offer)) {
    return "fault" in offer
      ? { ...common, state: "refused", fault: offer.fault }
      : { ...common, state: "gone" };
  }
  const price = keepingSound(offer.price, old);
  const next = effectivePrice(book, model, nowMs, price);
  const differences = priceDifferences(old, next);
  const row: PriceRow = {
    ...common,
    state: old ? (differences.length === 0 ? "same" : "changed") : "new",
    differences,
    ...(next ? { next } : {}),
    ...(offer.context === undefined ? {} : { context: offer.context }),
    ...(offer.outputLimit === undefined ? {} : { output_limit: offer.outputLimit }),
  };
  if (isAbsurd(differences)) return { ...row, state: "refused", fault: "absurd" };
  return row.state === "same" ? row : { ...row, price };
};

/** Compares a document's prices with the current ones, by name. A priced model missing in it is "gone". */
export const comparePrices = async (comparison: Comparison): Promise<PriceRow[]> => {
  const { book, document, offered, isOnlyOffered, yieldToOthers } = comparison;
  const own = new Set(book.modelPrices?.keys());
  // A name may be priced under the list's: "gpt-4o" for "gpt-4o-2024-11-20".
  const listNames = new Map([...offered].map((model) => [model, book.findListPrice?.(model)?.name ?? model]));
  const wanted = new Set([...own, ...offered, ...listNames.values()]);
  const offers: (PriceOffer | { model: string; seller: string })[] = [
    ...document.prices,
    ...document.refused,
  ].filter(({ model }) => !isOnlyOffered || wanted.has(model));
  const named = new Set(offers.map(({ model }) => model));
  for (const model of new Set([...own, ...offered])) {
    const isNamed = named.has(model) || named.has(listNames.get(model) ?? model);
    if (!isNamed) offers.push({ model, seller: "" });
  }
  const rows: PriceRow[] = [];
  const asPriced = { ...comparison, offered: new Set([...offered, ...listNames.values()]) };
  for (const [index, offer] of offers.entries()) {
    const row = rowOf(asPriced, offer);
    // A model without a price here and in the document is reported as missing, not as gone.
    if (row.state !== "gone" || row.old) rows.push(row);
    if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToOthers();
  }
  return rows.sort((a, b) => (a.model < b.model ? -1 : 1));
};
