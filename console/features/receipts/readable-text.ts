/** Maximum number of shown characters: more would slow the page down without being read. */
export const MAX_SHOWN = 200_000;

/** A message for reading: complete JSON is formatted, everything else unchanged. */
export const readableText = (contentType: string, text: string): string => {
  if (!contentType.endsWith("json") || text.length > MAX_SHOWN) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
