/**
 * Parses a typed number, with a point or a comma before its fraction.
 * @returns NaN if invalid or ambiguous: 1,000 is one thousand to some readers and one to others.
 */
export const readTypedNumber = (typed: string): number => {
  const text = typed.trim();
  if (text === "" || /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/.test(text)) return Number.NaN;
  return Number(text.replace(",", "."));
};

const WHOLE = /^-?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;

/**
 * Parses a typed whole number, also with an exponent (1e5); a fraction is cut off.
 * @returns NaN if invalid or too large to be exact.
 */
export const readWholeNumber = (typed: string): number => {
  const text = typed.trim();
  // Adding 0 turns -0 into 0.
  const number = WHOLE.test(text) ? Math.trunc(Number(text)) + 0 : Number.NaN;
  return Number.isSafeInteger(number) ? number : Number.NaN;
};
