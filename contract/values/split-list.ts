/** "a, b,,a" → ["a", "b"]: the comma lists of the wire, trimmed, without blanks and repeats. */
export const splitList = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  ),
];
