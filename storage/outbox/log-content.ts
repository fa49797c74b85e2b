import {
  INTERRUPTION_CODES,
  type LogContent,
  type LogPhrase,
  logPhraseSchema,
  logPhrasesSchema,
} from "@tollgate/contract/values/log-phrase";
import { tryParseJson } from "@tollgate/contract/values/parse-json";

/* Stored text of a log line: compact JSON of phrases, or the plain text of a line that came from elsewhere. */

/** Prefix of stored phrases. */
export const PHRASES_BEGIN = '[{"code":"';

/** A price's phrases serve all its requests, most of which say nothing else. */
const encoded = new WeakMap<readonly LogPhrase[], string>();

/** Phrases as they are stored. A list of one is kept in mind: it is a price's. */
export const encodePhrases = (phrases: readonly LogPhrase[]): string => {
  if (phrases.length !== 1) return JSON.stringify(phrases);
  const known = encoded.get(phrases);
  if (known !== undefined) return known;
  const text = JSON.stringify(phrases);
  encoded.set(phrases, text);
  return text;
};

/** All that a line says that takes a charge back, as it is stored. */
export const TAKEN_BACK = encodePhrases([{ code: "charge-taken-back" }]);

/** All that a line says that refunds a request, as it is stored. */
export const REFUNDED = encodePhrases([{ code: "request-refunded" }]);

/** Phrases of an interrupted answer, as they are stored. Quotes in names are escaped, so no name contains one. */
export const INTERRUPTION_MARKS = INTERRUPTION_CODES.map((code) => `{"code":"${code}"}`);

/** Whether a stored text is that of an answer that its client did not receive whole. */
export const tellsInterruption = (text: string): boolean =>
  text.startsWith(PHRASES_BEGIN) && INTERRUPTION_MARKS.some((mark) => text.includes(mark));

/** Reads a stored text; one that is no list of phrases stays as it is. */
export const decodeLogContent = (text: string): LogContent => {
  if (!text.startsWith(PHRASES_BEGIN)) return text;
  const parsed = logPhrasesSchema.safeParse(tryParseJson(text));
  return parsed.success ? parsed.data : text;
};

/** Reads one stored phrase; undefined for anything else. */
export const readPhrase = (value: unknown): LogPhrase | undefined => {
  const parsed = logPhraseSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
};
