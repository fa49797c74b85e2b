/**
 * Whether a name fits a pattern in which `*` stands for any characters, also none; everything else stands for itself. The work
 * grows with the product of the two lengths at most, whatever the pattern.
 */
export const fitsWildcard = (pattern: string, name: string): boolean => {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < name.length) {
    if (pattern[at] === "*") {
      star = at;
      resume = index;
      at += 1;
    } else if (pattern[at] === name[index]) {
      at += 1;
      index += 1;
    } else if (star === -1) return false;
    else {
      // The last star takes one character more.
      at = star + 1;
      resume += 1;
      index = resume;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
};

/** Number of a pattern's literal characters: the more, the more specific it is. */
export const literalLength = (pattern: string): number => pattern.replaceAll("*", "").length;

/** Whether a pattern fits one name only. */
export const isLiteral = (pattern: string): boolean => !pattern.includes("*");
