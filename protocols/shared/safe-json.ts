/**
 * Parses JSON text that came from outside.
 * @returns undefined when it is not JSON (JSON itself has no `undefined`, so the two cannot be confused).
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
