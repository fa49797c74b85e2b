import type { ModelPriceEntry, TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";
import {
  compare,
  type Decimal,
  divideDown,
  formatDecimal,
  isZero,
  multiply,
  parseDecimal,
  simplify,
  ZERO,
} from "@tollgate/contract/values/decimal";
import type { DocumentFault } from "./source-price";

/** Common names of token prices, which the documents call differently. */
export type PriceName = Exclude<keyof TokenPrices, "from" | "tiers">;

/** The raw token prices of a model in a document. */
export type RawPrices = Partial<Record<PriceName, unknown>>;

export interface RawTier {
  aboveTokens: unknown;
  prices: RawPrices;
}

/** Reason why a price cannot be used; thrown while it is read, caught for its row. */
export class PriceRefused extends Error {
  override readonly name = "PriceRefused";
  constructor(readonly fault: DocumentFault) {
    super(fault);
  }
}

/**
 * Decimal places of a price: a billionth of a dollar per million tokens. Floating-point errors in other parties' sums
 * are smaller.
 */
const PLACES = 9;
const HALF: Decimal = { digits: 5n, scale: PLACES + 1 };

/** No model costs as much: USD per million tokens, and per call. */
const MAX_PER_MILLION: Decimal = { digits: 10_000n, scale: 0 };
const MAX_PER_CALL: Decimal = { digits: 1_000n, scale: 0 };

/** Maximum number of prompt lengths with their own prices. */
export const MAX_TIERS = 10;

const rounded = ({ digits, scale }: Decimal): Decimal => {
  if (scale <= PLACES) return simplify({ digits, scale });
  const half = { digits: digits + HALF.digits * 10n ** BigInt(scale - HALF.scale), scale };
  return simplify(divideDown(half, { digits: 1n, scale: 0 }, PLACES));
};

/**
 * Reads a price from a document: a number, or its text.
 * @param factor converts it to USD per million tokens, or per call.
 * @returns undefined when it is missing; 0 is returned unchanged.
 * @throws PriceRefused for a non-number, a negative or an absurd price.
 */
export const readUsd = (
  value: unknown,
  factor: Decimal,
  max: Decimal = MAX_PER_MILLION,
): Decimal | undefined => {
  if (value === undefined || value === null || value === "") return undefined;
  const read = typeof value === "number" || typeof value === "string" ? parseDecimal(value) : undefined;
  // The text of a negative number is not a decimal either.
  if (read === undefined) throw new PriceRefused("not-a-price");
  const usd = rounded(multiply(read, factor));
  if (compare(usd, max) > 0) throw new PriceRefused("too-high");
  return usd;
};

const asNumber = (usd: Decimal): number => Number(formatDecimal(usd));

/** @throws PriceRefused for 0 as well: a free call is a mistake of the document. */
export const perCallPrice = (value: unknown, factor: Decimal): ModelPriceEntry => {
  const usd = readUsd(value, factor, MAX_PER_CALL);
  if (usd === undefined) throw new PriceRefused("unit");
  if (isZero(usd)) throw new PriceRefused("zero");
  return { perCall: asNumber(usd) };
};

const PARTS = ["cacheRead", "cacheWrite5m", "cacheWrite1h", "audioInput", "audioOutput"] as const;

interface TokenUsd {
  input: Decimal;
  output: Decimal | undefined;
  parts: ReadonlyMap<(typeof PARTS)[number], Decimal>;
}

const readTokenUsd = (raw: RawPrices, factor: Decimal, isWordless: boolean): TokenUsd => {
  const input = readUsd(raw.input, factor);
  if (input === undefined) throw new PriceRefused("unit");
  if (isZero(input)) throw new PriceRefused("zero");
  const output = readUsd(raw.output, factor);
  const isOutputKnown = output !== undefined && !isZero(output);
  if (!isOutputKnown && !isWordless) throw new PriceRefused(output ? "zero" : "output-missing");
  const parts = new Map<(typeof PARTS)[number], Decimal>();
  for (const name of PARTS) {
    const usd = readUsd(raw[name], factor);
    // 0 mostly means that the list has no price for it: then the price follows from the input.
    if (usd !== undefined && !isZero(usd)) parts.set(name, usd);
  }
  return { input, output: isOutputKnown ? output : undefined, parts };
};

/** A price missing from a tier keeps its ratio to the input outside the tier. */
const scaled = (base: Decimal, { input }: TokenUsd, tier: TokenUsd): Decimal =>
  rounded(divideDown(multiply(base, tier.input), input, PLACES + 3));

const tierOf = (aboveTokens: number, base: TokenUsd, tier: TokenUsd): TierPrices => {
  const output = base.output && (tier.output ?? scaled(base.output, base, tier));
  return {
    aboveTokens,
    input: asNumber(tier.input),
    ...(output ? { output: asNumber(output) } : {}),
    ...Object.fromEntries(
      [...base.parts].map(([name, usd]) => [name, asNumber(tier.parts.get(name) ?? scaled(usd, base, tier))]),
    ),
  };
};

/**
 * A price by tokens. A missing price stays missing: it is never read as 0.
 * @param factor converts the document's prices to USD per million tokens.
 * @param isWordless the model has no output tokens, so it needs no price for them.
 * @throws PriceRefused
 */
export const tokenPrice = (
  raw: RawPrices,
  tiers: readonly RawTier[],
  factor: Decimal,
  isWordless: boolean,
): TokenPrices => {
  const base = readTokenUsd(raw, factor, isWordless);
  if (tiers.length > MAX_TIERS) throw new PriceRefused("tiers");
  const further = tiers
    .map(({ aboveTokens, prices }) => {
      const isLength = typeof aboveTokens === "number" && Number.isSafeInteger(aboveTokens);
      if (!isLength || aboveTokens < 1) throw new PriceRefused("tiers");
      return tierOf(aboveTokens, base, readTokenUsd(prices, factor, true));
    })
    .sort((a, b) => a.aboveTokens - b.aboveTokens);
  if (further.some((tier, index) => tier.aboveTokens === further[index - 1]?.aboveTokens))
    throw new PriceRefused("tiers");
  return {
    input: asNumber(base.input),
    ...(base.output ? { output: asNumber(base.output) } : {}),
    ...Object.fromEntries([...base.parts].map(([name, usd]) => [name, asNumber(usd)])),
    ...(further.length === 0 ? {} : { tiers: further }),
  };
};

/** The dearer of two raw prices; non-numbers are left for the reader to refuse. */
export const dearerOf = (a: unknown, b: unknown): unknown => {
  if (b === undefined || b === null) return a;
  const left = typeof a === "number" || typeof a === "string" ? parseDecimal(a) : undefined;
  const right = typeof b === "number" || typeof b === "string" ? parseDecimal(b) : undefined;
  if (a === undefined || a === null || left === undefined) return a;
  return right === undefined || compare(left, right ?? ZERO) >= 0 ? a : b;
};
