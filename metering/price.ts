import {
  type CacheRatios,
  holdsFromMs,
  type ModelPriceEntry,
  type ModelPrices,
  type TokenPrices,
} from "@tollgate/contract/management/model-price";
import type { AppliedRule } from "@tollgate/contract/management/price-rule";
import type { Extras } from "@tollgate/contract/relay/extras";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import {
  add,
  compare,
  type Decimal,
  divideDown,
  formatDecimal,
  isZero,
  multiply,
  multiplyInteger,
  ONE,
  parseDecimal,
  roundUp,
  simplify,
  ZERO,
} from "@tollgate/contract/values/decimal";
import { DEFAULT_QUOTA_PER_UNIT } from "@tollgate/contract/values/quota";
import { cacheFactors } from "./cache-factors";
import { contractCompletionRatio } from "./completion-ratio";
import { billExtras, type ExtraBill, type ExtraPrices } from "./extra-charges";
import { listRatio } from "./list-ratio";
import type { Payer, PricingRule, RuleBook } from "./price-rules";
import { dearer, listTerms, moneyTerms, type PriceTerms, ratioTerms, type Tier } from "./price-terms";
import type { GroupGroupRatios, RatioTable } from "./ratio-table";
import { areUsual, classifyTokens, SPECIAL_CLASSES, TOKEN_CLASSES, type TokenCounts } from "./token-classes";
import { ceilShare, type WholeTerms } from "./whole-terms";

/** What a vendor asks for a model, whatever the options say. */
export interface ListPrice {
  /** The name that the list knows the model by; options are asked for it after the name itself. */
  name: string;
  /** In the order of their dates, USD; none where the price is not known. */
  entries: readonly TokenPrices[];
}

/** Everything that prices follow from, as the options say it. */
export interface PriceBook {
  modelRatios: RatioTable;
  /** What a completion token costs, in prompt tokens, where it is not the vendor's or the contract's ratio. */
  completionRatios?: RatioTable;
  /** The vendors' list prices; undefined for a model that no list names. */
  findListPrice?: (model: string) => ListPrice | undefined;
  groupRatios: RatioTable;
  /** What groups cost users of other groups; they go before `groupRatios`. */
  groupGroupRatios?: GroupGroupRatios;
  /** Prices of single customers, groups and models; the first that fits goes before everything else. */
  rules?: RuleBook | undefined;
  /** For models that no table names; undefined refuses them. */
  fallbackRatio?: Decimal | undefined;
  /** Prices in money; they go before the ratios. */
  modelPrices?: ModelPrices;
  cacheRatios?: CacheRatios;
  /** Cached tokens have a price of their own; otherwise they cost what any input costs. */
  isCacheBilled?: boolean;
  /** How many times the price a tier of service costs; others are not asked for. */
  tierRatios?: RatioTable;
  /** USD for a thousand calls of tools that vendors run; others are not offered. */
  toolPrices?: RatioTable;
  /** Quota per USD. */
  quotaPerUnit?: Decimal | undefined;
  /** Which prices these are: a number that grows with each change of them. */
  version?: number;
}

/** What a model costs a group, in quota. */
export interface Price extends PriceTerms {
  model: string;
  /** The group that it holds for. */
  group: string;
  /** What charges of tokens alone are kept under, to be priced again (./priced-use.ts). */
  shape: string;
  /** Quota per prompt token: what other units of work are derived from. */
  perPromptToken: Decimal;
  isFree: boolean;
  /** It is known what a token costs that the model writes; where it is not, nothing may be written. */
  isOutputPriced: boolean;
  /** Writing a prompt cache costs more than reading the prompt. */
  areWritesDearer: boolean;
  version: number;
  /** What is charged besides the tokens. */
  extras: ExtraPrices;
  /** Milliseconds since the epoch at which the next price takes over; Infinity when none is known. */
  holdsUntilMs: number;
  /** The rule that it follows from; undefined where none holds. */
  rule?: AppliedRule | undefined;
}

/** A charge before any shortfall, and what it is made of. */
export interface Bill {
  quota: number;
  counts: TokenCounts;
  tier: Tier;
  /** How many times a price per call is charged. */
  calls: number;
  /** What tiers and tools add; undefined where none was asked for. */
  extra?: ExtraBill | undefined;
}

const DEFAULT_PER_UNIT: Decimal = { digits: BigInt(DEFAULT_QUOTA_PER_UNIT), scale: 0 };

/** How much quota a US dollar is. */
export const quotaPerUnitOf = ({ quotaPerUnit }: Pick<PriceBook, "quotaPerUnit">): Decimal =>
  quotaPerUnit ?? DEFAULT_PER_UNIT;

/** The entry that holds now, and when the next one does. */
const entryAt = <T extends ModelPriceEntry>(
  entries: readonly T[],
  nowMs: number,
): { entry: T | undefined; untilMs: number } => {
  const next = entries.findIndex((entry) => holdsFromMs(entry) > nowMs);
  const following = entries[next];
  return {
    entry: next === -1 ? entries.at(-1) : entries[next - 1],
    untilMs: following ? holdsFromMs(following) : Number.POSITIVE_INFINITY,
  };
};

const isRatioOf = (ratio: Decimal, entry: TokenPrices): boolean => compare(ratio, listRatio(entry)) === 0;

const isWorthless = ({ perToken }: Tier): boolean => TOKEN_CLASSES.every((each) => isZero(perToken[each]));

const areWritesDearer = ({ perToken }: Tier): boolean =>
  compare(dearer(perToken.cacheWrite5m, perToken.cacheWrite1h), perToken.input) > 0;

/** Digits of a completion ratio that follows from two prices. */
const PLACES = 12;

/** What the list says that a completion token costs, in prompt tokens; undefined where it says nothing of it. */
const listedCompletionRatio = (listed: TokenPrices | undefined): Decimal | undefined => {
  const input = parseDecimal(listed?.input ?? 0) ?? ZERO;
  if (listed?.output === undefined || isZero(input)) return undefined;
  return simplify(divideDown(parseDecimal(listed.output) ?? ZERO, input, PLACES));
};

/** Where the administrator's options say what the list would say, the list must not go before them. */
const without = (listed: TokenPrices, cache: boolean, output: boolean): TokenPrices => {
  const strip = <T extends TokenPrices>(prices: T): T => ({
    ...prices,
    ...(output ? { output: undefined } : {}),
    ...(cache ? { cacheRead: undefined, cacheWrite5m: undefined, cacheWrite1h: undefined } : {}),
  });
  return cache || output ? { ...strip(listed), tiers: listed.tiers?.map((tier) => strip(tier)) } : listed;
};

/** What a group costs a user: the ratio that the first of the user's own groups has for it, else the group's, else 1. */
export const groupRatioOf = (
  { groupRatios, groupGroupRatios }: Pick<PriceBook, "groupRatios" | "groupGroupRatios">,
  group: string,
  payer: Payer | undefined,
): Decimal => {
  if (payer && groupGroupRatios && groupGroupRatios.size > 0) {
    for (const own of payer.groups) {
      const ratio = groupGroupRatios.get(own)?.get(group);
      if (ratio) return ratio;
    }
  }
  return groupRatios.get(group) ?? ONE;
};

/** The ratio that a rule sets in place of the group's, times its factor. */
const ruledRatio = (rule: PricingRule | undefined, ofGroup: () => Decimal): Decimal => {
  const ratio = rule?.ratio ?? ofGroup();
  return rule?.factor ? simplify(multiply(ratio, rule.factor)) : ratio;
};

const appliedRule = ({ name, factor, ratio, rule }: PricingRule): AppliedRule => ({
  name,
  ...(factor && { factor: formatDecimal(factor) }),
  ...(ratio && { ratio: formatDecimal(ratio) }),
  ...(rule.price && { has_price: true }),
});

const NO_PRICES: RatioTable = new Map();

const extraPrices = (book: PriceBook, groupRatio: Decimal): ExtraPrices => {
  const perUnit = quotaPerUnitOf(book);
  return {
    tierRatios: book.tierRatios ?? NO_PRICES,
    toolPrices: book.toolPrices ?? NO_PRICES,
    perUsd: multiply(perUnit, groupRatio),
    perUsdText: `${formatDecimal(perUnit)} × ${formatDecimal(groupRatio)}`,
  };
};

/** Terms of a price, whether they say by themselves what is written costs, and until when they hold. */
interface FoundTerms {
  terms: PriceTerms;
  isOutputPriced: boolean;
  holdsUntilMs: number;
}

/**
 * The price of a model for a group, at a moment. A group without a ratio pays 1 (contract section 3.6). An option that
 * does not name the model is asked for the name of the price list: "gpt-4o" for "gpt-4o-2024-11-20".
 * @param model the name after the channel's mapping.
 * @param group the one by which the request goes.
 * @param nowMs milliseconds since the epoch.
 * @param payer whose price it is; without one, what holds for all users of the group.
 * @param requestedModel the name before the channel's mapping.
 * @returns undefined when the model has no price.
 */
export const findPrice = (
  book: PriceBook,
  model: string,
  group: string,
  nowMs: number,
  payer?: Payer,
  requestedModel = model,
): Price | undefined => {
  const found = book.rules?.find({ userId: payer?.id, group, model, requestedModel }, nowMs);
  const rule = found?.rule;
  const list = book.findListPrice?.(model);
  const of = <T>(table: ReadonlyMap<string, T> | undefined): T | undefined =>
    table?.get(model) ?? (list && table?.get(list.name));
  const dated = entryAt(of(book.modelPrices) ?? [], nowMs);
  const entry = rule?.rule.price ?? dated.entry;
  const untilMs = rule?.rule.price ? Number.POSITIVE_INFINITY : dated.untilMs;
  const listed = entryAt(list?.entries ?? [], nowMs);
  const groupRatio = ruledRatio(rule, () => groupRatioOf(book, group, payer));
  const ownCompletion = of(book.completionRatios);
  const ownCache = of(book.cacheRatios);
  const isCacheBilled = book.isCacheBilled ?? true;
  const factors = cacheFactors(model, ownCache, isCacheBilled, listed.entry);
  const completion = ownCompletion ?? contractCompletionRatio(model) ?? listedCompletionRatio(listed.entry);
  const modelRatio = of(book.modelRatios);
  const knownTerms = (): FoundTerms | undefined => {
    if (entry)
      return {
        terms: moneyTerms(entry, quotaPerUnitOf(book), groupRatio, completion ?? ONE, factors),
        isOutputPriced: "perCall" in entry || entry.output !== undefined,
        holdsUntilMs: untilMs,
      };
    // The administrator left the ratio as the list has it: the request costs what the list says, now.
    if (modelRatio && listed.entry && list?.entries.some((each) => isRatioOf(modelRatio, each))) {
      const isCacheOwn = ownCache !== undefined || !isCacheBilled;
      const prices = without(listed.entry, isCacheOwn, ownCompletion !== undefined);
      const listedRatio = listRatio(listed.entry);
      return {
        terms: isZero(listedRatio)
          ? ratioTerms(listedRatio, groupRatio, ONE, factors)
          : listTerms(prices, listedRatio, groupRatio, completion ?? ONE, factors),
        isOutputPriced: listed.entry.output !== undefined,
        holdsUntilMs: Math.min(untilMs, listed.untilMs),
      };
    }
    const usedRatio = modelRatio ?? book.fallbackRatio;
    return (
      usedRatio && {
        terms: ratioTerms(usedRatio, groupRatio, completion ?? ONE, factors),
        // A fallback is the administrator's word for everything that is not known, what is written included.
        isOutputPriced: modelRatio === undefined || isZero(usedRatio),
        holdsUntilMs: untilMs,
      }
    );
  };
  const known = knownTerms();
  if (!known) return undefined;
  const { terms, holdsUntilMs } = known;
  return {
    ...terms,
    model,
    group,
    shape: JSON.stringify([model, group]),
    perPromptToken: terms.tiers[0].perToken.input,
    isFree: terms.perCall ? isZero(terms.perCall) : terms.tiers.every(isWorthless),
    isOutputPriced: completion !== undefined || known.isOutputPriced,
    areWritesDearer: terms.tiers.some(areWritesDearer),
    version: book.version ?? 1,
    extras: extraPrices(book, groupRatio),
    holdsUntilMs: found ? Math.min(holdsUntilMs, found.untilMs) : holdsUntilMs,
    ...(rule && {
      rule: appliedRule(rule),
      explanation: [...terms.explanation, { code: "price-rule" as const, name: rule.name }],
    }),
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
 * @param extras what the upstream was asked for besides its tokens.
 * @param calls how many times a price per call is charged: once for a chat, however many answers it has.
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

/** Quota for what is read and written, rounded up. @returns undefined where plain numbers do not hold it exactly. */
const plainQuota = (terms: WholeTerms | undefined, read: number, written: number): number | undefined => {
  if (!terms) return undefined;
  const { weights, denominator } = terms;
  const sum = read * (weights[0] ?? 0) + written * (weights[1] ?? 0);
  // A sum that was rounded anywhere is not below this.
  return sum < Number.MAX_SAFE_INTEGER ? ceilShare(sum, denominator) : undefined;
};

/** What an answer comes to, before anything is rounded: quota, and what it is made of. */
export interface ExactBill extends Omit<Bill, "quota"> {
  sum: Decimal;
}

/** The same as priceAnswer, not rounded: what is paid for an answer is no charge. */
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

/** Quota, not rounded; nothing when nothing was read or written. */
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

/** What raises the price of a token above the usual one. */
export interface Surcharges {
  /** The client asks for its prompt to be kept, which may cost more than reading it. */
  writesCache?: boolean;
  /** There may be sound in the prompt and in the answer. */
  hasSound?: boolean;
  /** What a tier multiplies the price by. */
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
