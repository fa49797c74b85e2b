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

/** What the documents call differently: one name for each price of a token. */
export type PriceName = Exclude<keyof TokenPrices, "from" | "tiers">;

/** What a document says of a model's tokens, as it stands there. */
export type RawPrices = Partial<Record<PriceName, unknown>>;

export interface RawTier {
  aboveTokens: unknown;
  prices: RawPrices;
}

/** Why a price cannot be used; thrown while it is read, caught where its row is. */
export class PriceRefused extends Error {
  override readonly name = "PriceRefused";
  constructor(readonly fault: DocumentFault) {
    super(fault);
  }
}

/** Digits after the point of a price: a billionth of a dollar for a million tokens. What sums of others drift by is less. */
const PLACES = 9;
const HALF: Decimal = { digits: 5n, scale: PLACES + 1 };

/** No model costs as much: USD per million tokens, and per call. */
const MAX_PER_MILLION: Decimal = { digits: 10_000n, scale: 0 };
const MAX_PER_CALL: Decimal = { digits: 1_000n, scale: 0 };

/** So many lengths of prompts may have prices of their own. */
export const MAX_TIERS = 10;

const rounded = ({ digits, scale }: Decimal): Decimal => {
  if (scale <= PLACES) return simplify({ digits, scale });
  const half = { digits: digits + HALF.digits * 10n ** BigInt(scale - HALF.scale), scale };
  return simplify(divideDown(half, { digits: 1n, scale: 0 }, PLACES));
};

/**
 * A price as a document has it: a number, or its text.
 * @param factor what it is multiplied by to be USD for a million tokens, or for a call.
 * @returns undefined where nothing is said; 0 is returned as it is.
 * @throws PriceRefused for what is no number, below zero or absurd.
 */
export const readUsd = (
  value: unknown,
  factor: Decimal,
  max: Decimal = MAX_PER_MILLION,
): Decimal | undefined => {
  if (value === undefined || value === null || value === "") return undefined;
  const read = typeof value === "number" || typeof value === "string" ? parseDecimal(value) : undefined;
  // A negative number's text is no decimal either.
  if (read === undefined) throw new PriceRefused("not-a-price");
  const usd = rounded(multiply(read, factor));
  if (compare(usd, max) > 0) throw new PriceRefused("too-high");
  return usd;
};

const asNumber = (usd: Decimal): number => Number(formatDecimal(usd));

/** @throws PriceRefused for 0 as well: a call that costs nothing is a mistake of the document. */
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
    // 0 mostly means that the list says nothing of it: then it costs what follows from the input.
    if (usd !== undefined && !isZero(usd)) parts.set(name, usd);
  }
  return { input, output: isOutputKnown ? output : undefined, parts };
};

/** What a tier does not name costs as many times its input as it does without the tier. */
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
 * A price by tokens. What the document leaves out stays left out: it is never taken for 0.
 * @param factor what makes a price of the document USD for a million tokens.
 * @param isWordless the model answers with no tokens of its own, so that it needs no price for them.
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

/** The dearer of two prices, as they stand in a document; what is no number is left for the reader to refuse. */
export const dearerOf = (a: unknown, b: unknown): unknown => {
  if (b === undefined || b === null) return a;
  const left = typeof a === "number" || typeof a === "string" ? parseDecimal(a) : undefined;
  const right = typeof b === "number" || typeof b === "string" ? parseDecimal(b) : undefined;
  if (a === undefined || a === null || left === undefined) return a;
  return right === undefined || compare(left, right ?? ZERO) >= 0 ? a : b;
};
