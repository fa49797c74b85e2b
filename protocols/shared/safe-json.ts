import { isTooDeep } from "./scan-json";

/**
 * Parses JSON text that came from outside.
 * @returns undefined when it is not JSON (JSON itself has no `undefined`, so the two cannot be confused), or when it is
 * nested deeper than MAX_JSON_DEPTH: whatever is written of it again would end in a RangeError.
 */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
