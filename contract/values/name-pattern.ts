/** Whether a name is what a pattern says, in which each * stands for any characters. Takes time in proportion to both. */
export const fitsPattern = (name: string, pattern: string): boolean => {
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
