import { cutText } from "@tollgate/contract/values/cut-text";

/** Code units of a text that are looked at: a character may have any number of marks. */
const MAX_READ = 2000;

/** Whether the font has a glyph for a code point. */
export type HasGlyph = (codePoint: number) => boolean;

/** The sign of Chinese type for a character that the font does not have (U+3013). */
const MISSING = "〓";

/**
 * A text by users as one line for paper: without control characters, marks of direction and lone surrogates, with a sign for
 * characters that the font does not have, and cut.
 */
export const printableText = (text: string, maxCharacters: number, hasGlyph: HasGlyph): string => {
  const line = text
    .slice(0, MAX_READ)
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\p{Cf}|\p{Cs}|\p{Variation_Selector}/gu, "")
    .trim();
  return [...cutText(line, maxCharacters)]
    .map((character) => (hasGlyph(character.codePointAt(0) ?? 0) ? character : MISSING))
    .join("");
};
