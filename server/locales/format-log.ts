import type { Amount, LogContent, LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { IncidentReason } from "@tollgate/relay/ports/directory";
import type { LogTexts } from "./catalogue";
import { fillText } from "./fill-text";
import { LANGUAGES, type Language } from "./languages";

export const formatReason = (language: Language, reason: IncidentReason): string =>
  typeof reason === "string"
    ? reason
    : fillText(LANGUAGES[language].log.reasons[reason.code], reason.params ?? {});

const formatAmount = ({ amounts }: LogTexts, amount: Amount): string =>
  "usd" in amount ? fillText(amounts.usd, amount) : fillText(amounts.quota, amount);

const formatPhraseWith = (texts: LogTexts, { code, ...params }: LogPhrase): string => {
  const said: Record<string, string | number> = {};
  for (const [name, value] of Object.entries<string | number | Amount>(params))
    said[name] = typeof value === "object" ? formatAmount(texts, value) : value;
  return fillText(texts.phrases[code], said);
};

export const formatPhrase = (language: Language, phrase: LogPhrase): string =>
  formatPhraseWith(LANGUAGES[language].log, phrase);

/** The text of a log line in one language; a line stored as plain text is returned unchanged. */
export const formatLogContent = (language: Language, content: LogContent): string => {
  if (typeof content === "string") return content;
  const texts = LANGUAGES[language].log;
  return content.map((phrase) => formatPhraseWith(texts, phrase)).join(texts.separator);
};
