/*
 * Lines of the log are JSON with the same few fields each, one for every request. Written by hand they cost half of what
 * `JSON.stringify` takes for a list of so many values.
 */

const MOST_KNOWN = 1000;
/** Longer texts are hardly ever the same. */
const LONGEST_KNOWN = 256;
const known = new Map<string, string>();

/** A text as JSON, for texts that come again and again: names, models, reasons. They are remembered. */
export const quote = (text: string): string => {
  let quoted = known.get(text);
  if (quoted === undefined) {
    quoted = JSON.stringify(text);
    if (text.length > LONGEST_KNOWN) return quoted;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, quoted);
  }
  return quoted;
};

/** A number as JSON says it; null for none, and for what is no number there. */
export const numeral = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;
