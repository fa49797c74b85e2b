import { isTooDeep, JSON_BOUNDS, type JsonBounds, scanJson } from "./scan-json";

/** An event, an argument, a credential: what is long in it is text. */
export const TEXT_BOUNDS: JsonBounds = {
  ...JSON_BOUNDS,
  maxNames: JSON_BOUNDS.maxValues,
  maxEscapes: Number.POSITIVE_INFINITY,
  maxLooseBytes: Number.POSITIVE_INFINITY,
};

/** A value and the comma behind it are no less. */
const LEAST_VALUE_LENGTH = 2;

/**
 * Parses JSON text that came from outside.
 * @param maxValues how many values it may hold; more would keep the thread for too long.
 * @returns undefined when it is not JSON (JSON itself has no `undefined`, so the two cannot be confused), or when it is
 * nested deeper than MAX_JSON_DEPTH: whatever is written of it again would end in a RangeError.
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
