/** The content of a `data:` address. `mediaType` is "" when the address names none. */
export interface InlineData {
  mediaType: string;
  /** Base64 without a prefix. */
  data: string;
}

/**
 * Reads `data:<media type>;base64,<data>` (https://www.rfc-editor.org/rfc/rfc2397).
 * @returns undefined when the text is no such address; the percent-encoded form is not accepted either.
 */
export const parseDataUri = (text: string): InlineData | undefined => {
  // Only the head is searched: the data behind it can be megabytes long.
  const comma = text.indexOf(",");
  const head = /^data:([^;,]*)(?:;[^;,]+)*;base64$/i.exec(text.slice(0, Math.max(comma, 0)));
  return head ? { mediaType: (head[1] ?? "").toLowerCase(), data: text.slice(comma + 1) } : undefined;
};

/** @see parseDataUri */
export const encodeDataUri = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;
