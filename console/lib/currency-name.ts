import { shownCurrency } from "./format";

/** A currency's name in a text: in Chinese its name, in other languages its code. */
export const currencyName = (language: string, code = shownCurrency().currency): string =>
  language.startsWith("zh") ? (new Intl.DisplayNames(language, { type: "currency" }).of(code) ?? code) : code;
