import { isTooDeep, JSON_BOUNDS, type JsonBounds, scanJson } from "./scan-json";

/** For an event, an argument, a credential: only their texts are long. */
export const TEXT_BOUNDS: JsonBounds = {
  ...JSON_BOUNDS,
  maxNames: JSON_BOUNDS.maxValues,
  maxEscapes: Number.POSITIVE_INFINITY,
  maxLooseBytes: Number.POSITIVE_INFINITY,
};

/** A value and the comma behind it are no less. */
const LEAST_VALUE_LENGTH = 2;

/**
 * Parses JSON text from an untrusted source.
 * @param maxValues maximum number of values; more would block the thread for too long.
 * @returns undefined when it is not JSON (JSON itself has no `undefined`, so the two cannot be confused), or when it is
 * nested deeper than MAX_JSON_DEPTH: serializing it again would end in a RangeError.
 */
export const parseJson = (text: string, maxValues = TEXT_BOUNDS.maxValues): unknown => {
  if (isTooDeep(text)) return undefined;
  const mayBeMany = text.length > LEAST_VALUE_LENGTH * maxValues;
  if (mayBeMany && scanJson(Buffer.from(text), { ...TEXT_BOUNDS, maxValues })) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
