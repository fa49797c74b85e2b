import {
  type CacheRatios,
  holdsFromMs,
  type ModelPriceEntry,
  type ModelPrices,
} from "@tollgate/contract/control/model-price";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import {
  add,
  compare,
  type Decimal,
  isZero,
  multiplyInteger,
  ONE,
  roundUp,
} from "@tollgate/contract/values/decimal";
import { DEFAULT_QUOTA_PER_UNIT } from "@tollgate/contract/values/quota";
import { cacheFactors } from "./cache-factors";
import { completionRatio } from "./completion-ratio";
import { moneyTerms, type PriceTerms, ratioTerms, type Tier } from "./price-terms";
import type { RatioTable } from "./ratio-table";
import { classifyTokens, TOKEN_CLASSES, type TokenCounts } from "./token-classes";

/** Everything that prices follow from, as the options say it. */
export interface PriceBook {
  modelRatios: RatioTable;
  groupRatios: RatioTable;
  /** For models that no table names; undefined refuses them. */
  fallbackRatio?: Decimal | undefined;
  /** Prices in money; they go before the ratios. */
  modelPrices?: ModelPrices;
  cacheRatios?: CacheRatios;
  /** Cached tokens have a price of their own; otherwise they cost what any input costs. */
  isCacheBilled?: boolean;
  /** Quota per USD. */
  quotaPerUnit?: Decimal | undefined;
  /** Which prices these are: a number that grows with each change of them. */
  version?: number;
}

/** What a model costs a group, in quota. */
export interface Price extends PriceTerms {
  model: string;
  /** Quota per prompt token: what other units of work are derived from. */
  perPromptToken: Decimal;
  isFree: boolean;
  /** Writing a prompt cache costs more than reading the prompt. */
  areWritesDearer: boolean;
  version: number;
  /** Milliseconds since the epoch at which the next price takes over; Infinity when none is known. */
  holdsUntilMs: number;
}

/** A charge before any shortfall, and what it is made of. */
export interface Bill {
  quota: number;
  counts: TokenCounts;
  tier: Tier;
}

const DEFAULT_PER_UNIT: Decimal = { digits: BigInt(DEFAULT_QUOTA_PER_UNIT), scale: 0 };

/** The entry that holds now, and when the next one does. */
const entryAt = (
  entries: readonly ModelPriceEntry[],
  nowMs: number,
): { entry: ModelPriceEntry | undefined; untilMs: number } => {
  const next = entries.findIndex((entry) => holdsFromMs(entry) > nowMs);
  const following = entries[next];
  return {
    entry: next === -1 ? entries.at(-1) : entries[next - 1],
    untilMs: following ? holdsFromMs(following) : Number.POSITIVE_INFINITY,
  };
};

const isWorthless = ({ perToken }: Tier): boolean => TOKEN_CLASSES.every((each) => isZero(perToken[each]));

/** The dearer of two prices. */
const dearer = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a);

const areWritesDearer = ({ perToken }: Tier): boolean =>
  compare(dearer(perToken.cacheWrite5m, perToken.cacheWrite1h), perToken.input) > 0;

/**
 * The price of a model for a group, at a moment. A group without a ratio pays 1 (contract section 3.6).
 * @param model the name after the channel's mapping.
 * @param nowMs milliseconds since the epoch.
 * @returns undefined when the model has no price.
 */
export const findPrice = (
  book: PriceBook,
  model: string,
  group: string,
  nowMs: number,
): Price | undefined => {
  const { entry, untilMs } = entryAt(book.modelPrices?.get(model) ?? [], nowMs);
  const groupRatio = book.groupRatios.get(group) ?? ONE;
  const completion = completionRatio(model);
  const factors = cacheFactors(model, book.cacheRatios, book.isCacheBilled ?? true);
  const modelRatio = book.modelRatios.get(model) ?? book.fallbackRatio;
  let terms: PriceTerms;
  if (entry) {
    terms = moneyTerms(entry, book.quotaPerUnit ?? DEFAULT_PER_UNIT, groupRatio, completion, factors);
  } else {
    if (modelRatio === undefined) return undefined;
    terms = ratioTerms(modelRatio, groupRatio, completion, factors);
  }
  return {
    ...terms,
    model,
    perPromptToken: terms.tiers[0].perToken.input,
    isFree: terms.perCall ? isZero(terms.perCall) : terms.tiers.every(isWorthless),
    areWritesDearer: terms.tiers.some(areWritesDearer),
    version: book.version ?? 1,
    holdsUntilMs: untilMs,
  };
};

/** The whole request is charged by the last tier that its prompt is long enough for. */
const tierFor = ({ tiers }: Price, promptTokens: number): Tier => {
  let [found] = tiers;
  for (const tier of tiers) if (promptTokens > tier.aboveTokens) found = tier;
  return found;
};

/** @param calls how many calls a price per call is asked for. */
export const priceCalls = (price: Price, calls: number): number =>
  price.perCall === undefined || price.isFree
    ? 0
    : Math.max(1, roundUp(multiplyInteger(price.perCall, calls)));

/**
 * What an answer costs (contract section 2.5): rounded up once, at the end; at least 1 unless the price is zero; nothing
 * when nothing was read or written.
 * @param usage what the upstream told of the parts of the two counts.
 */
export const priceAnswer = (
  price: Price,
  promptTokens: number,
  completionTokens: number,
  usage: Usage = NO_USAGE,
): Bill => {
  const counts = classifyTokens(promptTokens, completionTokens, usage);
  const tier = tierFor(price, promptTokens);
  if (price.perCall) return { quota: priceCalls(price, 1), counts, tier };
  if (price.isFree || promptTokens + completionTokens === 0) return { quota: 0, counts, tier };
  const { perToken } = tier;
  let sum = multiplyInteger(perToken.input, counts.input);
  for (const each of TOKEN_CLASSES) {
    if (each !== "input" && counts[each] > 0) sum = add(sum, multiplyInteger(perToken[each], counts[each]));
  }
  return { quota: Math.max(1, roundUp(sum)), counts, tier };
};

/** What raises the price of a token above the usual one. */
export interface Surcharges {
  /** The client asks for its prompt to be kept, which may cost more than reading it. */
  writesCache?: boolean;
  /** There may be sound in the prompt and in the answer. */
  hasSound?: boolean;
}

/** The quota to hold before an attempt for a prompt and an answer of so many tokens. */
export const priceHold = (
  price: Price,
  promptTokens: number,
  outputTokens: number,
  { writesCache = false, hasSound = false }: Surcharges = {},
): number => {
  if (price.perCall) return priceCalls(price, 1);
  const { perToken } = tierFor(price, promptTokens);
  let { input, output } = perToken;
  if (writesCache) input = dearer(input, dearer(perToken.cacheWrite5m, perToken.cacheWrite1h));
  if (hasSound) {
    input = dearer(input, perToken.audioInput);
    output = dearer(output, perToken.audioOutput);
  }
  return roundUp(add(multiplyInteger(input, promptTokens), multiplyInteger(output, outputTokens)));
};
