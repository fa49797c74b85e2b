import { currencySign } from "@tollgate/contract/payments/currencies";
import { CURRENCY_CODES } from "@tollgate/contract/payments/currency-codes";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { Failure } from "@tollgate/server/management-api/failure";
import { checkOption } from "@tollgate/server/state/options";
import type { AddRemark } from "./mapped";
import type { OptionRow } from "./source-rows";

/** new-api's options of the currency in which people see quota. */
const TYPE = "general_setting.quota_display_type";
const SYMBOL = "general_setting.custom_currency_symbol";
const RATE = "general_setting.custom_currency_exchange_rate";
const YUAN_RATE = "USDExchangeRate";
export const DISPLAY_OPTIONS = [TYPE, SYMBOL, RATE] as const;

/** The rate of new-api's code, until a person saves another. */
const DEFAULT_YUAN_RATE = "7.3";

/** The source has one rate, which its earlier amounts have as well. */
const FROM = "1970-01-01";

/** The option by which amounts are in points. */
export const IN_CURRENCY = "DisplayInCurrencyEnabled";

/** The currency of a symbol or a code, as people write it; undefined for a unit of the site's own. */
const currencyOf = (symbol: string): string | undefined =>
  CURRENCY_CODES.find((code) => code === symbol.toUpperCase() || currencySign(code) === symbol);

interface MappedDisplay {
  options: ImportedOption[];
  /** Options of the source that these replace. */
  replaced: readonly string[];
}

/** The currency in which people see amounts, as the option DisplayCurrency. */
export const mapDisplayCurrency = (rows: readonly OptionRow[], addRemark: AddRemark): MappedDisplay => {
  const textOf = (key: string): string => rows.find((row) => row.key === key)?.value?.trim() ?? "";
  const type = textOf(TYPE).toUpperCase();
  if (type === "TOKENS")
    return { options: [{ key: IN_CURRENCY, value: "false", isSecret: false }], replaced: [IN_CURRENCY] };
  const isYuan = type === "CNY";
  if (!isYuan && type !== "CUSTOM") return { options: [], replaced: [] };
  const replaced = isYuan ? [YUAN_RATE] : [];
  const currency = isYuan ? "CNY" : currencyOf(textOf(SYMBOL));
  if (currency === undefined) {
    addRemark(SYMBOL, "left-out", "display-currency-unknown", { symbol: textOf(SYMBOL) });
    return { options: [], replaced };
  }
  const rate = isYuan ? textOf(YUAN_RATE) || DEFAULT_YUAN_RATE : textOf(RATE);
  const value = JSON.stringify([{ from: FROM, currency, rate }]);
  try {
    checkOption("DisplayCurrency", value, () => "");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    addRemark(isYuan ? YUAN_RATE : RATE, "left-out", "option-refused", { reason: error.key });
    return { options: [], replaced };
  }
  addRemark(TYPE, "changed", "display-currency", { currency, rate });
  return { options: [{ key: "DisplayCurrency", value, isSecret: false }], replaced };
};
