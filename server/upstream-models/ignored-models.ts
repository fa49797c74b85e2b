import { splitList } from "@tollgate/contract/management/channel";

/** Whether a name is what a pattern says, in which each * stands for any characters. Takes time in proportion to both. */
const fits = (name: string, pattern: string): boolean => {
  const pieces = pattern.split("*");
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
};

/** An upstream may have thousands of models, each of which is held against every pattern. */
const MAX_PATTERNS = 500;

/** Those of an upstream's models that nobody wants to hear of. @param patterns the option IgnoredModels. */
export const ignoredModels = (models: readonly string[], patterns: string): string[] => {
  const wanted = splitList(patterns).slice(0, MAX_PATTERNS);
  return wanted.length === 0 ? [] : models.filter((model) => wanted.some((pattern) => fits(model, pattern)));
};
