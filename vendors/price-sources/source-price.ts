import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import type { PriceFault } from "@tollgate/contract/management/price-sync";

/** The shapes in which others publish prices. */
export type PriceDocumentKind = "models.dev" | "litellm" | "gateway";

/** Why a document's price of a model is not offered; "absurd" is said where it is compared with another. */
export type DocumentFault = Exclude<PriceFault, "absurd">;

/** What a document says of one model. */
export interface SourcePrice {
  model: string;
  /** USD, without a date. */
  price: ModelPriceEntry;
  /** Who sells at this price, as the document names it; "" where it names none. */
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

/** What a vendor asks for a model, before it is known whose price holds. */
export type PriceOffer = SourcePrice | RefusedPrice;

export interface PriceDocument {
  kind: PriceDocumentKind;
  /** In the order of their names; a model stands in one of the two lists. */
  prices: SourcePrice[];
  refused: RefusedPrice[];
}

const MAX_NAME = 200;

/** Controls, line ends and what turns the direction of text stand in no model's name. */
const ODD_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Whether a text may be a model's name. */
export const isModelName = (name: string): boolean =>
  name !== "" && name.length <= MAX_NAME && name.trim() === name && !ODD_CHARACTERS.test(name);

const MAX_TOKENS = 1_000_000_000;

/** A number of tokens; undefined for anything else. */
export const readTokens = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_TOKENS
    ? value
    : undefined;
