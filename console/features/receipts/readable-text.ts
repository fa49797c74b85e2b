/** How many characters are shown at most: more would make the page slow, and nobody reads them there. */
export const MAX_SHOWN = 200_000;

/** A message as it is read: JSON on lines of its own where it is whole, everything else as it came. */
export const readableText = (contentType: string, text: string): string => {
  if (!contentType.endsWith("json") || text.length > MAX_SHOWN) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
