import { parseCacheRatios, parseModelPrices } from "@tollgate/contract/management/model-price";
import { parsePriceRules } from "@tollgate/contract/management/price-rule";
import type { OptionKey, OptionKeyOf } from "@tollgate/contract/options/options";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import type { PriceBook } from "@tollgate/metering/price";
import { RuleBook } from "@tollgate/metering/price-rules";
import { parseGroupGroupRatios, type RatioTable } from "@tollgate/metering/ratio-table";
import { findListPrice } from "./list-prices";

/** Options are checked before they are stored; an invalid stored value counts as empty. */
const usable = <T extends object>(parsed: T | { fault: string }, nothing: T): T =>
  "fault" in parsed ? nothing : parsed;

/** The options that determine prices: those of the site, or of a draft. */
export interface PriceTexts {
  text(key: OptionKey): string;
  ratios(key: OptionKeyOf<{ type: "ratios" }>): RatioTable;
  readonly priceVersion: number;
}

/** The rules for single customers and models; undefined without rules, which saves every lookup. */
export const ruleBookOf = (options: Pick<PriceTexts, "text">): RuleBook | undefined => {
  const rules = usable(parsePriceRules(options.text("PriceRules")), new Map());
  return rules.size === 0 ? undefined : new RuleBook(rules);
};

/** Everything that prices depend on, from the options. @param rules from `ruleBookOf`. */
export const readPriceBook = (options: PriceTexts, rules: RuleBook | undefined): PriceBook => ({
  modelRatios: options.ratios("ModelRatio"),
  completionRatios: options.ratios("CompletionRatio"),
  findListPrice,
  groupRatios: options.ratios("GroupRatio"),
  groupGroupRatios: usable(parseGroupGroupRatios(options.text("GroupGroupRatio")), new Map()),
  rules,
  fallbackRatio: parseDecimal(options.text("FallbackModelRatio")),
  modelPrices: usable(parseModelPrices(options.text("ModelPrice")), new Map()),
  cacheRatios: usable(parseCacheRatios(options.text("CacheRatio")), new Map()),
  isCacheBilled: options.text("CacheBillingEnabled") === "true",
  tierRatios: options.ratios("ServiceTierRatio"),
  toolPrices: options.ratios("ToolPrice"),
  quotaPerUnit: parseDecimal(options.text("QuotaPerUnit")),
  version: options.priceVersion,
});
