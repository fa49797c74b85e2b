import type { TokenPrices } from "@tollgate/contract/management/model-price";

/**
 * How sure a figure is: read on the vendor's own page; taken from another party's table of list prices that names the
 * vendor's page; or followed from the vendor's rule for a family or from a figure that says the same (USD for CNY).
 */
export type Confidence = "vendor page" | "secondary" | "inferred";

/** What is charged by another unit than tokens, in the sheet's currency (metering/unit-price.ts has the arithmetic). */
export type UnitPrice =
  | { perImage: number }
  | { perMinute: number }
  | { perMillionCharacters: number }
  | { perThousandSearches: number };

/** A price per million tokens, one or a list of dated ones (the earliest first), or one per unit; in the sheet's currency. */
export type ListPrice = TokenPrices | readonly TokenPrices[] | UnitPrice;

/** What is known of one model. */
export interface ModelFacts {
  /** "unknown" where no price could be found: such a model is refused until the administrator sets one. */
  price: ListPrice | "unknown";
  /** It answers with no tokens of its own: vectors, a verdict, an order of documents. */
  writesNothing?: true;
  /** Tokens of prompt and answer together. */
  context?: number;
  /** The most tokens of one answer, reasoning included. */
  outputLimit?: number;
  /** Other names of the same model at the same price. */
  aliases?: readonly string[];
  /** Where it differs from the sheet's. */
  source?: string;
  asOf?: string;
  confidence?: Confidence;
}

/** One vendor's price list. */
export interface PriceSheet {
  /** Maker of the models: `owned_by` of /v1/models, and the name that people read. */
  owner: { id: string; name: string };
  currency: "USD" | "CNY";
  /** The page of the vendor that the figures are said to stand on. */
  source: string;
  /** The day on which the figures were last known to hold, "2026-09-23". */
  asOf: string;
  confidence: Confidence;
  /** What stands in front of these names where others sell the models at the list price: "openai/". */
  resoldAs?: readonly RegExp[];
  models: Readonly<Record<string, ModelFacts>>;
}
