/*
 * Lines of the log are JSON with the same few fields each, one for every request. Written by hand they cost half as
 * much as with `JSON.stringify` for a list of so many values.
 */

const MAX_KNOWN = 1000;
/** Longer texts are hardly ever the same. */
const LONGEST_KNOWN = 256;
const known = new Map<string, string>();

const BEYOND_ASCII = /[\u0080-\uffff]/g;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A text as JSON, for texts that come again and again: names, models, reasons. They are remembered, with everything beyond
 * ASCII escaped: a single such character would make all of a batch, of which it is a part, twice as large in memory and
 * several times as dear to write.
 */
export const quote = (text: string): string => {
  let quoted = known.get(text);
  if (quoted === undefined) {
    quoted = JSON.stringify(text);
    if (text.length > LONGEST_KNOWN) return quoted;
    // A string made from wide characters stays wide in memory, even when only ASCII is left.
    if (quoted.search(BEYOND_ASCII) !== -1)
      quoted = Buffer.from(quoted.replaceAll(BEYOND_ASCII, escapeUnit), "latin1").toString("latin1");
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, quoted);
  }
  return quoted;
};

/** Characters that JSON escapes: a quotation mark, a backslash, a control character, half of a pair. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A text as JSON, for texts of which hardly two are the same, such as formulas. */
export const quoteOnce = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

/** A number in JSON; null for undefined, and for values that are not finite. */
export const numeral = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;
