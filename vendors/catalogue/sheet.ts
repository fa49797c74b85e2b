import type { TokenPrices } from "@tollgate/contract/management/model-price";
import type { ModelAbilities } from "@tollgate/contract/values/model-abilities";

/**
 * Reliability of a figure: read on the vendor's own page; taken from another party's table of list prices that names
 * the vendor's page; or derived from the vendor's rule for a family or from an equivalent figure (USD for CNY).
 */
export type Confidence = "vendor page" | "secondary" | "inferred";

/** Prices by units other than tokens, in the sheet's currency (metering/unit-price.ts has the arithmetic). */
export type UnitPrice =
  | { perImage: number }
  | { perMinute: number }
  | { perMillionCharacters: number }
  | { perThousandSearches: number };

/** A price per million tokens, one or a list of dated ones (the earliest first), or one per unit; in the sheet's currency. */
export type ListPrice = TokenPrices | readonly TokenPrices[] | UnitPrice;

/** The known facts about one model. */
export interface ModelFacts {
  /** "unknown" when no price could be found: such a model is refused until the administrator sets one. */
  price: ListPrice | "unknown";
  /** It has no output tokens: vectors, moderations, rankings of documents. */
  writesNothing?: true;
  /** Tokens of prompt and answer together. */
  context?: number;
  /** The most tokens of one answer, reasoning included. */
  outputLimit?: number;
  /** What it can do, under each of its names. */
  abilities?: ModelAbilities;
  /** Other names of the same model at the same price. */
  aliases?: readonly string[];
  /** Present if it differs from the sheet's. */
  source?: string;
  asOf?: string;
  confidence?: Confidence;
}

export interface PriceSheet {
  /** Maker of the models: `owned_by` of /v1/models, and the name that people read. */
  owner: { id: string; name: string };
  currency: "USD" | "CNY";
  /** The vendor's page that contains the figures. */
  source: string;
  /** The last day on which the figures were confirmed, "2026-09-23". */
  asOf: string;
  confidence: Confidence;
  /** Prefixes of these names at resellers that charge the list price: "openai/". */
  resoldAs?: readonly RegExp[];
  models: Readonly<Record<string, ModelFacts>>;
}
