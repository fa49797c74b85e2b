/** Decodes a path segment. An invalidly escaped one is returned unchanged: no model has such a name. */
export const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
