/** The pattern for `LIKE … ESCAPE '\'` that finds what begins with `text`, its wildcards taken literally. */
export const likePrefix = (text: string): string => `${text.replace(/[\\%_]/g, "\\$&")}%`;
