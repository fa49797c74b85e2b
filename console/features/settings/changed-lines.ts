/** What a change takes out of a text and puts into it. */
export interface ChangedLines {
  removed: string[];
  added: string[];
}

/** Lines as they are compared: JSON has commas at their ends that say nothing. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim().replace(/,$/, ""))
    .filter((line) => line !== "");

const beyond = (lines: readonly string[], others: readonly string[]): string[] => {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
};

/** The lines that a change takes out and puts in, without those that stay. */
export const findChangedLines = (before: string, after: string): ChangedLines => {
  const [old, now] = [linesOf(before), linesOf(after)];
  return { removed: beyond(old, now), added: beyond(now, old) };
};
