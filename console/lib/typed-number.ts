/**
 * Parses a typed number, with a point or a comma before its fraction.
 * @returns NaN if invalid or ambiguous: 1,000 is one thousand to some readers and one to others.
 */
export const readTypedNumber = (typed: string): number => {
  const text = typed.trim();
  if (text === "" || /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/.test(text)) return Number.NaN;
  return Number(text.replace(",", "."));
};
