/**
 * A number as it was typed, with a point or a comma before its fraction.
 * @returns NaN for what is none, and for what may be meant in two ways: 1,000 is a thousand to one reader and one to another.
 */
export const readTypedNumber = (typed: string): number => {
  const text = typed.trim();
  if (text === "" || /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/.test(text)) return Number.NaN;
  return Number(text.replace(",", "."));
};
