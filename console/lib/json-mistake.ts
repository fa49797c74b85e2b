export interface JsonMistake {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/**
 * Where a text stops being JSON; undefined when it is JSON. Browsers word this differently, and for short texts not
 * at all, so the text is walked here.
 */
export const findJsonMistake = (text: string): JsonMistake | undefined => {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match !== null;
  };
  const takeCharacter = (character: string): boolean => {
    take(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const list = (close: string, item: () => boolean): boolean => {
    if (takeCharacter(close)) return true;
    do {
      take(SPACE);
      if (!item()) return false;
    } while (takeCharacter(","));
    return takeCharacter(close);
  };
  const value = (): boolean => {
    take(SPACE);
    if (takeCharacter("{")) return list("}", () => take(STRING) && takeCharacter(":") && value());
    if (takeCharacter("[")) return list("]", value);
    return take(STRING) || take(NUMBER) || take(WORD);
  };
  const isValue = value();
  take(SPACE);
  if (isValue && at === text.length) return undefined;
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};
