const MAX_TEXT = 2_000;

/** A value with long texts cut, such as pictures: a page that shows them whole would stand still. */
export const shortenTexts = (value: unknown): unknown => {
  if (typeof value === "string") return value.length > MAX_TEXT ? `${value.slice(0, 100)}…` : value;
  if (Array.isArray(value)) return value.map(shortenTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortenTexts(each)]));
};
