import {
  type CacheRatios,
  holdsFromMs,
  type ModelPriceEntry,
  type ModelPrices,
  type TokenPrices,
} from "@tollgate/contract/management/model-price";
import type { AppliedRule } from "@tollgate/contract/management/price-rule";
import {
  compare,
  type Decimal,
  divideDown,
  formatDecimal,
  isZero,
  multiply,
  ONE,
  parseDecimal,
  simplify,
  ZERO,
} from "@tollgate/contract/values/decimal";
import { DEFAULT_QUOTA_PER_UNIT } from "@tollgate/contract/values/quota";
import { cacheFactors } from "./cache-factors";
import { contractCompletionRatio } from "./completion-ratio";
import type { ExtraPrices } from "./extra-charges";
import { listRatio } from "./list-ratio";
import type { Payer, PricingRule, RuleBook } from "./price-rules";
import { dearer, listTerms, moneyTerms, type PriceTerms, ratioTerms, type Tier } from "./price-terms";
import type { GroupGroupRatios, RatioTable } from "./ratio-table";
import { TOKEN_CLASSES } from "./token-classes";

/** A vendor's price of a model, independent of the options. */
export interface ListPrice {
  /** The list's name for the model; options are looked up by it after the name itself. */
  name: string;
  /** In the order of their dates, USD; empty when the price is not known. */
  entries: readonly TokenPrices[];
}

/** Everything that prices depend on, from the options. */
export interface PriceBook {
  modelRatios: RatioTable;
  /** The price of a completion token in prompt tokens, if different from the vendor's or the contract's ratio. */
  completionRatios?: RatioTable;
  /** The vendors' list prices; undefined for a model that no list names. */
  findListPrice?: (model: string) => ListPrice | undefined;
  groupRatios: RatioTable;
  /** Ratios of groups for users of other groups; they take precedence over `groupRatios`. */
  groupGroupRatios?: GroupGroupRatios;
  /** Prices of single customers, groups and models; the first match takes precedence over everything else. */
  rules?: RuleBook | undefined;
  /** For models missing from all tables; undefined refuses them. */
  fallbackRatio?: Decimal | undefined;
  /** Prices in money; they go before the ratios. */
  modelPrices?: ModelPrices;
  cacheRatios?: CacheRatios;
  /** Cached tokens have their own price; otherwise they cost the same as any input. */
  isCacheBilled?: boolean;
  /** Each service tier's multiple of the price; tiers without one are not requested. */
  tierRatios?: RatioTable;
  /** USD for a thousand calls of tools that vendors run; others are not offered. */
  toolPrices?: RatioTable;
  /** Quota per USD. */
  quotaPerUnit?: Decimal | undefined;
  /** Version number of the prices, which grows with each change. */
  version?: number;
}

/** A model's price for a group, in quota. */
export interface Price extends PriceTerms {
  model: string;
  /** The group that it holds for. */
  group: string;
  /** The stored shape of token-only charges, for pricing them again (./priced-use.ts). */
  shape: string;
  /** Quota per prompt token: the base for other units of work. */
  perPromptToken: Decimal;
  isFree: boolean;
  /** The price of an output token is known; otherwise a request may produce no output. */
  isOutputPriced: boolean;
  /** Writing a prompt cache costs more than reading the prompt. */
  areWritesDearer: boolean;
  version: number;
  /** Prices beyond tokens. */
  extras: ExtraPrices;
  /** Milliseconds since the epoch at which the next price applies; Infinity when none is known. */
  holdsUntilMs: number;
  /** The applied rule; undefined without one. */
  rule?: AppliedRule | undefined;
}

const DEFAULT_PER_UNIT: Decimal = { digits: BigInt(DEFAULT_QUOTA_PER_UNIT), scale: 0 };

/** Quota per US dollar. */
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

/** The list's price of a completion token in prompt tokens; undefined when the list has none. */
const listedCompletionRatio = (listed: TokenPrices | undefined): Decimal | undefined => {
  const input = parseDecimal(listed?.input ?? 0) ?? ZERO;
  if (listed?.output === undefined || isZero(input)) return undefined;
  return simplify(divideDown(parseDecimal(listed.output) ?? ZERO, input, PLACES));
};

/** The administrator's options take precedence over the same values of the list. */
const without = (listed: TokenPrices, cache: boolean, output: boolean): TokenPrices => {
  const strip = <T extends TokenPrices>(prices: T): T => ({
    ...prices,
    ...(output ? { output: undefined } : {}),
    ...(cache ? { cacheRead: undefined, cacheWrite5m: undefined, cacheWrite1h: undefined } : {}),
  });
  return cache || output ? { ...strip(listed), tiers: listed.tiers?.map((tier) => strip(tier)) } : listed;
};

/**
 * A group's ratio for a user: the ratio that the first of the user's own groups has for it, else the group's, else 1.
 */
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

/** Terms of a price, whether they include an output price, and the end of their validity. */
interface FoundTerms {
  terms: PriceTerms;
  isOutputPriced: boolean;
  holdsUntilMs: number;
}

/**
 * The price of a model for a group, at a moment. A group without a ratio pays 1 (contract section 3.6). An option
 * without the model's name is looked up by the name of the price list: "gpt-4o" for "gpt-4o-2024-11-20".
 * @param model the name after the channel's mapping.
 * @param group the group of the request.
 * @param nowMs milliseconds since the epoch.
 * @param payer the paying user; without one, the price for all users of the group.
 * @param requestedModel the name before the channel's mapping.
 * @param effortName the client's name with its effort, for rules that name it.
 * @returns undefined when the model has no price.
 */
export const findPrice = (
  book: PriceBook,
  model: string,
  group: string,
  nowMs: number,
  payer?: Payer,
  requestedModel = model,
  effortName?: string,
): Price | undefined => {
  const found = book.rules?.find({ userId: payer?.id, group, model, requestedModel, effortName }, nowMs);
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
    // The administrator left the list's ratio unchanged: the request costs the current list price.
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
        // A fallback ratio is the administrator's price for everything unknown, including output.
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
