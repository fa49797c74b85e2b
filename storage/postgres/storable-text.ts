const ODD = /[\0\ud800-\udfff]/;

/**
 * A text as PostgreSQL gives it back: its texts hold no NUL, and end there for readers, as they do on SQLite; half a
 * character becomes the sign for one that is unknown.
 */
export const storableText = (text: string): string => {
  if (!ODD.test(text)) return text;
  const [before = ""] = text.split("\0", 1);
  return Buffer.from(before).toString();
};
