import {
  type Amount,
  type LogContent,
  type LogPhrase,
  PRICES_OF_PHRASES,
} from "@tollgate/contract/values/log-phrase";
import { convertDollars, convertPrice } from "@tollgate/contract/values/shown-amount";
import { DOLLARS, type ShownCurrency, withSymbol } from "@tollgate/contract/values/shown-currency";
import type { IncidentReason } from "@tollgate/relay/ports/directory";
import type { LogTexts } from "./catalogue";
import { fillText } from "./fill-text";
import { LANGUAGES, type Language } from "./languages";

export const formatReason = (language: Language, reason: IncidentReason): string =>
  typeof reason === "string"
    ? reason
    : fillText(LANGUAGES[language].log.reasons[reason.code], reason.params ?? {});

/** Decimals of an amount in a line, as the contract writes US dollars (section 1.4). */
const LINE_PLACES = 6;

/** @param shown the currency of the line's day. */
const formatAmount = ({ amounts }: LogTexts, amount: Amount, shown: ShownCurrency): string => {
  if (!("usd" in amount)) return fillText(amounts.quota, amount);
  if (shown.currency === DOLLARS.currency) return fillText(amounts.usd, amount);
  const money = withSymbol(convertDollars(amount.usd, shown, LINE_PLACES), shown);
  return fillText(amounts.money, { money });
};

/** A price as it is stored, or exactly in another currency. */
const formatPrice = (dollars: string, shown: ShownCurrency): string =>
  withSymbol(shown.currency === DOLLARS.currency ? dollars : convertPrice(dollars, shown), shown);

const formatPhraseWith = (texts: LogTexts, { code, ...params }: LogPhrase, shown: ShownCurrency): string => {
  const said: Record<string, string | number> = {};
  const prices = PRICES_OF_PHRASES[code] ?? [];
  for (const [name, value] of Object.entries<string | number | Amount>(params)) {
    if (typeof value === "object") said[name] = formatAmount(texts, value, shown);
    else said[name] = prices.includes(name) ? formatPrice(String(value), shown) : value;
  }
  return fillText(texts.phrases[code], said);
};

export const formatPhrase = (language: Language, phrase: LogPhrase): string =>
  formatPhraseWith(LANGUAGES[language].log, phrase, DOLLARS);

/**
 * The text of a log line in one language; a line stored as plain text is returned unchanged.
 * @param shown the currency of the line's day: a later rate does not change the line.
 */
export const formatLogContent = (
  language: Language,
  content: LogContent,
  shown: ShownCurrency = DOLLARS,
): string => {
  if (typeof content === "string") return content;
  const texts = LANGUAGES[language].log;
  return content.map((phrase) => formatPhraseWith(texts, phrase, shown)).join(texts.separator);
};
