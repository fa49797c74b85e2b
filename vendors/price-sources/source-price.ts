import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import type { PriceFault } from "@tollgate/contract/management/price-sync";

/** Formats in which other parties publish prices. */
export type PriceDocumentKind = "models.dev" | "litellm" | "gateway";

/** Reason for not offering a document's price of a model; "absurd" results only from comparing it with another. */
export type DocumentFault = Exclude<PriceFault, "absurd">;

/** A document's entry for one model. */
export interface SourcePrice {
  model: string;
  /** USD, without a date. */
  price: ModelPriceEntry;
  /** The seller of this price, as named by the document; "" when it names none. */
  seller: string;
  /** Tokens of prompt and answer together, and the most of one answer; for showing only. */
  context?: number | undefined;
  outputLimit?: number | undefined;
}

export interface RefusedPrice {
  model: string;
  seller: string;
  fault: DocumentFault;
}

/** A seller's price of a model, before one of several is chosen. */
export type PriceOffer = SourcePrice | RefusedPrice;

export interface PriceDocument {
  kind: PriceDocumentKind;
  /** In the order of their names; a model is in only one of the two lists. */
  prices: SourcePrice[];
  refused: RefusedPrice[];
}

const MAX_NAME = 200;

/** Control characters, line ends and marks of text direction never belong in a model's name. */
const ODD_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

export const isModelName = (name: string): boolean =>
  name !== "" && name.length <= MAX_NAME && name.trim() === name && !ODD_CHARACTERS.test(name);

const MAX_TOKENS = 1_000_000_000;

/** A number of tokens; undefined for anything else. */
export const readTokens = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_TOKENS
    ? value
    : undefined;
