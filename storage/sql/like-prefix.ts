/** Returns the pattern for `LIKE … ESCAPE '\'` of a prefix, its wildcards taken literally. */
export const likePrefix = (text: string): string => `${text.replace(/[\\%_]/g, "\\$&")}%`;
