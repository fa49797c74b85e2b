import type { Extras } from "@tollgate/contract/relay/extras";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import {
  add,
  type Decimal,
  multiply,
  multiplyInteger,
  roundUp,
  ZERO,
} from "@tollgate/contract/values/decimal";
import { billExtras, type ExtraBill } from "./extra-charges";
import type { Price } from "./price";
import { dearer, type Tier } from "./price-terms";
import { areUsual, classifyTokens, SPECIAL_CLASSES, type TokenCounts } from "./token-classes";
import { ceilShare, type WholeTerms } from "./whole-terms";

/** A charge before any shortfall, and its components. */
export interface Bill {
  quota: number;
  counts: TokenCounts;
  tier: Tier;
  /** Number of charges of a price per call. */
  calls: number;
  /** The charge for tiers and tools; undefined when none was requested. */
  extra?: ExtraBill | undefined;
}

/** The whole request is charged by the last tier that its prompt is long enough for. */
const tierFor = ({ tiers }: Price, promptTokens: number): Tier => {
  let [found] = tiers;
  for (const tier of tiers) if (promptTokens > tier.aboveTokens) found = tier;
  return found;
};

/** @param calls number of charges of a price per call. */
export const priceCalls = (price: Price, calls: number): number =>
  price.perCall === undefined || price.isFree
    ? 0
    : Math.max(1, roundUp(multiplyInteger(price.perCall, calls)));

/**
 * The price of an answer (contract section 2.5): rounded up once, at the end; at least 1 unless the price is zero; zero
 * when nothing was read or written.
 * @param usage the upstream's report about the parts of the two counts.
 * @param extras the extras requested beyond tokens.
 * @param calls number of charges of a price per call: one for a chat, however many answers it has.
 */
export const priceAnswer = (
  price: Price,
  promptTokens: number,
  completionTokens: number,
  usage: Usage = NO_USAGE,
  extras?: Extras,
  calls = 1,
): Bill => {
  const counts = classifyTokens(promptTokens, completionTokens, usage);
  const tier = tierFor(price, promptTokens);
  const extra = extras && billExtras(price.extras, extras, usage);
  const isCharged = !price.isFree && (price.perCall !== undefined || promptTokens + completionTokens > 0);
  const isPlain = isCharged && !price.perCall && !extra && areUsual(counts);
  const plain = isPlain ? plainQuota(tier.whole.usual, counts.input, counts.output) : undefined;
  const quota = plain ?? roundUp(exactSum(price, tier, counts, calls, extra));
  return { quota: Math.max(isCharged ? 1 : 0, quota), counts, tier, calls, extra };
};

/** Quota for input and output, rounded up. @returns undefined when plain numbers cannot hold it exactly. */
const plainQuota = (terms: WholeTerms | undefined, read: number, written: number): number | undefined => {
  if (!terms) return undefined;
  const { weights, denominator } = terms;
  const sum = read * (weights[0] ?? 0) + written * (weights[1] ?? 0);
  // A sum that was rounded anywhere is not below this.
  return sum < Number.MAX_SAFE_INTEGER ? ceilShare(sum, denominator) : undefined;
};

/** The exact price of an answer before rounding: quota, and its components. */
export interface ExactBill extends Omit<Bill, "quota"> {
  sum: Decimal;
}

/** The same as priceAnswer, not rounded: the operator's cost of an answer is not a charge. */
export const sumAnswer = (
  price: Price,
  promptTokens: number,
  completionTokens: number,
  usage: Usage = NO_USAGE,
  extras?: Extras,
  calls = 1,
): ExactBill => {
  const counts = classifyTokens(promptTokens, completionTokens, usage);
  const tier = tierFor(price, promptTokens);
  const extra = extras && billExtras(price.extras, extras, usage);
  return { sum: exactSum(price, tier, counts, calls, extra), counts, tier, calls, extra };
};

/** Quota, not rounded; zero when nothing was read or written. */
const exactSum = (
  price: Price,
  tier: Tier,
  counts: TokenCounts,
  calls: number,
  extra: ExtraBill | undefined,
): Decimal => {
  let sum = ZERO;
  if (price.perCall) sum = price.isFree ? ZERO : multiplyInteger(price.perCall, calls);
  else if (!price.isFree) sum = sumOf(tier, counts);
  return extra ? add(multiply(sum, extra.factor), extra.quota) : sum;
};

const sumOf = ({ perToken }: Tier, counts: TokenCounts): Decimal => {
  const { input, output } = perToken;
  const usual = add(multiplyInteger(input, counts.input), multiplyInteger(output, counts.output));
  if (areUsual(counts)) return usual;
  let sum = usual;
  for (const each of SPECIAL_CLASSES) {
    if (counts[each] > 0) sum = add(sum, multiplyInteger(perToken[each], counts[each]));
  }
  return sum;
};

/** Reasons for a token price above the usual one. */
export interface Surcharges {
  /** The client asks to cache its prompt, which may cost more than reading it. */
  writesCache?: boolean;
  /** There may be sound in the prompt and in the answer. */
  hasSound?: boolean;
  /** A tier's multiplier of the price. */
  factor?: Decimal;
  /** Quota for calls of tools. */
  calls?: Decimal;
}

/** The quota to hold before an attempt for a prompt and an answer of so many tokens. */
export const priceHold = (
  price: Price,
  promptTokens: number,
  outputTokens: number,
  { writesCache = false, hasSound = false, factor, calls }: Surcharges = {},
): number => {
  if (!price.perCall && !writesCache && !factor && !calls) {
    const { whole } = tierFor(price, promptTokens);
    const plain = plainQuota(hasSound ? whole.dearest : whole.usual, promptTokens, outputTokens);
    if (plain !== undefined) return plain;
  }
  const sum = price.perCall ?? worstSum(price, promptTokens, outputTokens, writesCache, hasSound);
  const multiplied = factor ? multiply(sum, factor) : sum;
  const quota = roundUp(calls ? add(multiplied, calls) : multiplied);
  return price.perCall && !price.isFree ? Math.max(1, quota) : quota;
};

const worstSum = (
  price: Price,
  promptTokens: number,
  outputTokens: number,
  writesCache: boolean,
  hasSound: boolean,
): Decimal => {
  const { perToken, dearest } = tierFor(price, promptTokens);
  let { input, output } = hasSound ? dearest : perToken;
  if (writesCache) input = dearer(input, dearer(perToken.cacheWrite5m, perToken.cacheWrite1h));
  return add(multiplyInteger(input, promptTokens), multiplyInteger(output, outputTokens));
};
