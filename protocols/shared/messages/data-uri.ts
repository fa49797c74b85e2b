/** The content of a `data:` address. `mediaType` is "" when the address names none. */
export interface InlineData {
  mediaType: string;
  /** Base64 without a prefix. */
  data: string;
}

/** No real head is longer: media types and their parameters are some dozen letters. */
const LONGEST_HEAD = 1024;
const SCHEME = "data:";
const ENCODING = ";base64";

/**
 * Parses `data:<media type>;base64,<data>` (https://www.rfc-editor.org/rfc/rfc2397).
 * @returns undefined for any other text; the percent-encoded form is not accepted either.
 */
export const parseDataUri = (text: string): InlineData | undefined => {
  // The data can be megabytes long: only the head is looked at.
  const start = text.slice(0, LONGEST_HEAD);
  const comma = start.indexOf(",");
  const head = start.slice(0, Math.max(comma, 0)).toLowerCase();
  if (!head.startsWith(SCHEME) || !head.endsWith(ENCODING)) return undefined;
  const [mediaType = "", ...parameters] = head.slice(SCHEME.length, -ENCODING.length).split(";");
  return parameters.includes("") ? undefined : { mediaType, data: text.slice(comma + 1) };
};

/** @see parseDataUri */
export const encodeDataUri = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;
