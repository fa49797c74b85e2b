import type { PricedModel } from "@tollgate/contract/api/pricing";
import type { ModelPriceEntry, TierPrices } from "@tollgate/contract/management/model-price";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "@tollgate/contract/values/decimal";
import { withSymbol } from "@tollgate/contract/values/shown-currency";
import { useTranslation } from "react-i18next";
import { currencyName } from "../../lib/currency-name";
import { isInDollars } from "../../lib/exact-quota";
import { isShownInCurrency, quotaPerUnit, shownCurrency } from "../../lib/format";

/** Prices of the classes of tokens in one group: USD per million tokens. A class that costs as another is missing. */
export interface ClassPrices {
  input?: number | undefined;
  output?: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  /** Kept for an hour. */
  cacheWrite1h?: number | undefined;
  audioInput?: number | undefined;
  audioOutput?: number | undefined;
}

/** A model's final price in one group: per token, or USD per call. */
export interface ShownPrice extends ClassPrices {
  perCall?: number | undefined;
  /** The prices of longer prompts: each from above so many tokens on. */
  tiers?: readonly (ClassPrices & { above: number })[];
  /** The name of the rule behind the user's own price. */
  rule?: string | undefined;
}

const times = (ratio: number, usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : usd * ratio;

const classesAt = (entry: Omit<TierPrices, "aboveTokens">, ratio: number): ClassPrices => {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, audioInput, audioOutput } = entry;
  const isSound = audioInput !== undefined && audioInput !== input;
  return {
    input: input * ratio,
    output: times(ratio, output),
    cacheRead: cacheRead === input ? undefined : times(ratio, cacheRead),
    cacheWrite: cacheWrite5m === input ? undefined : times(ratio, cacheWrite5m),
    cacheWrite1h: cacheWrite1h === cacheWrite5m ? undefined : times(ratio, cacheWrite1h),
    audioInput: isSound ? times(ratio, audioInput) : undefined,
    audioOutput: isSound ? times(ratio, audioOutput) : undefined,
  };
};

const priceAt = (entry: ModelPriceEntry, ratio: number): ShownPrice => {
  if ("perCall" in entry) return { perCall: entry.perCall * ratio };
  const tiers = (entry.tiers ?? []).map((tier) => ({ ...classesAt(tier, ratio), above: tier.aboveTokens }));
  return { ...classesAt(entry, ratio), tiers };
};

/** @param ratio the group's, for this user. */
export const shownPrice = ({ own, price }: PricedModel, group: string, ratio: number): ShownPrice => {
  const ruled = own?.find((each) => each.group === group);
  return ruled ? { ...priceAt(ruled.price, 1), rule: ruled.rule.name } : priceAt(price, ratio);
};

/** Four significant digits, without the exponent of JavaScript's numbers below a millionth. */
const shorten = (amount: number): Decimal => parseDecimal(amount.toPrecision(4)) ?? ZERO;

const inCurrency = (usd: number): Decimal => shorten(usd * Number(shownCurrency().rate));

/** Decimals needed by every price of a column. */
export const priceDecimals = (prices: readonly (number | undefined)[]): number =>
  Math.max(2, ...prices.map((usd) => inCurrency(usd ?? 0).scale));

/** A price in the site's format: in its currency, or in points of quota. @param places common decimals of a column. */
export const formatPrice = (usd: number, places = 2): string =>
  isShownInCurrency()
    ? withSymbol(formatDecimal(inCurrency(usd), places), shownCurrency())
    : formatDecimal(shorten(usd * quotaPerUnit()));

/** The unit of the shown prices, for headings. */
export const usePriceUnit = (): string => {
  const { t, i18n } = useTranslation();
  if (!isShownInCurrency()) return t("pricing.pointsPerMillion");
  return isInDollars()
    ? t("pricing.perMillion")
    : t("pricing.perMillionIn", { currency: currencyName(i18n.language) });
};

/** 128K, 1M. */
export const formatTokens = (tokens: number): string => {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}K` : String(tokens);
};
