import type { PricedModel } from "@tollgate/contract/api/pricing";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "@tollgate/contract/values/decimal";
import { withSymbol } from "@tollgate/contract/values/shown-currency";
import { useTranslation } from "react-i18next";
import { currencyName } from "../../lib/currency-name";
import { isInDollars } from "../../lib/exact-quota";
import { isShownInCurrency, quotaPerUnit, shownCurrency } from "../../lib/format";

/** A model's final price in one group: USD per million tokens, or per call. */
export interface ShownPrice {
  input?: number | undefined;
  output?: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  audioInput?: number | undefined;
  audioOutput?: number | undefined;
  perCall?: number | undefined;
  /** The prompt length from which another price applies. */
  tierAbove?: number | undefined;
  /** The name of the rule behind the user's own price. */
  rule?: string | undefined;
}

const times = (ratio: number, usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : usd * ratio;

const priceAt = (entry: ModelPriceEntry, ratio: number): ShownPrice => {
  if ("perCall" in entry) return { perCall: entry.perCall * ratio };
  const isSound = entry.audioInput !== undefined && entry.audioInput !== entry.input;
  return {
    input: entry.input * ratio,
    output: times(ratio, entry.output),
    cacheRead: entry.cacheRead === entry.input ? undefined : times(ratio, entry.cacheRead),
    cacheWrite: entry.cacheWrite5m === entry.input ? undefined : times(ratio, entry.cacheWrite5m),
    audioInput: isSound ? times(ratio, entry.audioInput) : undefined,
    audioOutput: isSound ? times(ratio, entry.audioOutput) : undefined,
    tierAbove: entry.tiers?.[0]?.aboveTokens,
  };
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
