import type { ModelPriceEntry, TokenPrices } from "@tollgate/contract/management/model-price";
import {
  compare,
  type Decimal,
  divideDown,
  formatDecimal,
  multiply,
  ONE,
  parseDecimal,
  simplify,
  ZERO,
} from "@tollgate/contract/values/decimal";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { CacheFactors } from "./cache-factors";
import { explainMoney, explainPerCall, explainRatios } from "./log-content";
import type { TokenClass, Weights } from "./token-classes";
import { type WholeTerms, wholeTermsOf } from "./whole-terms";

/** The terms for prompts of more than a number of tokens. */
export interface Tier {
  aboveTokens: number;
  weights: Weights;
  /** The weights as a receipt writes them. */
  weightTexts: Readonly<Record<TokenClass, string>>;
  /** Quota for a token of each class: its weight times the unit. */
  perToken: Weights;
  /** The same of a token that may be sound. */
  dearest: { readonly input: Decimal; readonly output: Decimal };
  /** Input and output at the usual prices and at the dearest, in plain numbers: enough for most charges and holds. */
  whole: { readonly usual: WholeTerms | undefined; readonly dearest: WholeTerms | undefined };
}

/** The components of a price. */
export interface PriceTerms {
  /** The first one holds for every prompt, each further one for longer ones. */
  tiers: readonly [Tier, ...Tier[]];
  /** The unit that weights are multiplied by, as written on a receipt: "0.75 × 1". */
  unitText: string;
  /** Quota for a whole call, whatever its tokens; undefined when tokens are charged. */
  perCall: Decimal | undefined;
  /** Its text in a log line: one list shared by the lines of all its charges. */
  explanation: readonly LogPhrase[];
}

const inEachClass = <T>(of: (each: TokenClass) => T): Readonly<Record<TokenClass, T>> => ({
  input: of("input"),
  cacheRead: of("cacheRead"),
  cacheWrite5m: of("cacheWrite5m"),
  cacheWrite1h: of("cacheWrite1h"),
  audioInput: of("audioInput"),
  output: of("output"),
  audioOutput: of("audioOutput"),
});

/** The dearer of two prices. */
export const dearer = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a);

/** Computed once, because every request uses it. */
const createTier = (aboveTokens: number, weights: Weights, unit: Decimal): Tier => {
  const perToken = inEachClass((each) => multiply(weights[each], unit));
  const dearest = {
    input: dearer(perToken.input, perToken.audioInput),
    output: dearer(perToken.output, perToken.audioOutput),
  };
  return {
    aboveTokens,
    weights,
    weightTexts: inEachClass((each) => formatDecimal(weights[each])),
    perToken,
    dearest,
    whole: {
      usual: wholeTermsOf([perToken.input, perToken.output]),
      dearest: wholeTermsOf([dearest.input, dearest.output]),
    },
  };
};

const MILLIONTH: Decimal = { digits: 1n, scale: 6 };

/** The contract's price: one prompt token is one, a completion token its ratio (contract section 2.5). */
export const ratioTerms = (
  modelRatio: Decimal,
  groupRatio: Decimal,
  completionRatio: Decimal,
  { read, write5m, write1h }: CacheFactors,
): PriceTerms => {
  const weights: Weights = {
    input: ONE,
    cacheRead: read,
    cacheWrite5m: write5m,
    cacheWrite1h: write1h,
    audioInput: ONE,
    output: completionRatio,
    audioOutput: completionRatio,
  };
  return {
    tiers: [createTier(0, weights, multiply(modelRatio, groupRatio))],
    unitText: `${formatDecimal(modelRatio)} × ${formatDecimal(groupRatio)}`,
    perCall: undefined,
    explanation: [explainRatios(modelRatio, groupRatio)],
  };
};

const usdOf = (value: number): Decimal => parseDecimal(value) ?? ZERO;

/** A class without its own price costs the same as its input, times the model's known ratio or factor. */
const weightsOf = (prices: TokenPrices, completionRatio: Decimal, factors: CacheFactors): Weights => {
  const input = usdOf(prices.input);
  const or = (value: number | undefined, otherwise: Decimal): Decimal =>
    value === undefined ? otherwise : usdOf(value);
  const output = or(prices.output, multiply(input, completionRatio));
  return {
    input,
    cacheRead: or(prices.cacheRead, multiply(input, factors.read)),
    cacheWrite5m: or(prices.cacheWrite5m, multiply(input, factors.write5m)),
    cacheWrite1h: or(prices.cacheWrite1h, multiply(input, factors.write1h)),
    audioInput: or(prices.audioInput, input),
    output,
    audioOutput: or(prices.audioOutput, output),
  };
};

const PLACES = 12;

/**
 * A vendor's list price under its ratio: one prompt token is one, everything else has the list's relative price, also
 * for longer prompts and for audio. The twelfth digit is rounded down: no charge is above the list.
 * @param entry USD per million tokens; its input is not 0.
 * @param modelRatio the ratio of the input's price.
 */
export const listTerms = (
  entry: TokenPrices,
  modelRatio: Decimal,
  groupRatio: Decimal,
  completionRatio: Decimal,
  factors: CacheFactors,
): PriceTerms => {
  const input = usdOf(entry.input);
  const unit = multiply(modelRatio, groupRatio);
  const tierOf = (aboveTokens: number, prices: TokenPrices): Tier => {
    const weights = weightsOf(prices, completionRatio, factors);
    return createTier(
      aboveTokens,
      inEachClass((each) => simplify(divideDown(weights[each], input, PLACES))),
      unit,
    );
  };
  return {
    tiers: [tierOf(0, entry), ...(entry.tiers ?? []).map((tier) => tierOf(tier.aboveTokens, tier))],
    unitText: `${formatDecimal(modelRatio)} × ${formatDecimal(groupRatio)}`,
    perCall: undefined,
    explanation: [explainRatios(modelRatio, groupRatio)],
  };
};

const NO_WEIGHTS: Weights = inEachClass(() => ZERO);

/** A price in money: weights are USD per million tokens. @param quotaPerUnit quota per USD. */
export const moneyTerms = (
  entry: ModelPriceEntry,
  quotaPerUnit: Decimal,
  groupRatio: Decimal,
  completionRatio: Decimal,
  factors: CacheFactors,
): PriceTerms => {
  const perUsd = multiply(quotaPerUnit, groupRatio);
  const perUsdText = `${formatDecimal(quotaPerUnit)} × ${formatDecimal(groupRatio)}`;
  if ("perCall" in entry) {
    const usd = usdOf(entry.perCall);
    return {
      tiers: [createTier(0, NO_WEIGHTS, ZERO)],
      unitText: `${formatDecimal(usd)} × ${perUsdText}`,
      perCall: multiply(usd, perUsd),
      explanation: [explainPerCall(usd, groupRatio)],
    };
  }
  const unit = multiply(perUsd, MILLIONTH);
  const base = createTier(0, weightsOf(entry, completionRatio, factors), unit);
  const further = (entry.tiers ?? []).map((tier) =>
    createTier(tier.aboveTokens, weightsOf(tier, completionRatio, factors), unit),
  );
  return {
    tiers: [base, ...further],
    unitText: `${perUsdText} ÷ 1000000`,
    perCall: undefined,
    explanation: [explainMoney(base.weights, groupRatio)],
  };
};
