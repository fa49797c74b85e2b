/** Parses a text that may be no JSON; undefined, which no JSON stands for, then. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
