/** The characters of a text as people count them: an emoji of several code points is one. Code points where a browser cannot tell. */
const charactersOf = (text: string): Iterable<{ segment: string }> =>
  "Segmenter" in Intl ? new Intl.Segmenter().segment(text) : Array.from(text, (segment) => ({ segment }));

/** The first characters of a text, with a sign at the end where there are more. */
export const cutText = (text: string, maxCharacters: number): string => {
  let cut = "";
  let count = 0;
  for (const { segment } of charactersOf(text)) {
    if (count === maxCharacters) return `${cut}…`;
    cut += segment;
    count += 1;
  }
  return text;
};
