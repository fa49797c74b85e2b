import { LIMITS } from "@tollgate/contract/management/limits";

/** The lines that a change removes and adds. */
export interface ChangedLines {
  removed: string[];
  added: string[];
}

/** Lines for the comparison, without JSON's trailing commas, which mean nothing. */
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

/** Compares two texts line by line. */
export const findChangedLines = (before: string, after: string): ChangedLines => {
  const [old, now] = [linesOf(before), linesOf(after)];
  return { removed: beyond(old, now), added: beyond(now, old) };
};

/** Properties of JSON options that are amounts of quota, all of them limits. */
const QUOTAS = Object.values(LIMITS)
  .filter(({ column }) => column === "QUOTA")
  .map(({ name }) => name);
const AMOUNT = new RegExp(`("(?:${QUOTAS.join("|")})": )(\\d+)`, "g");

/** A line of JSON with its amounts of quota as money. @param format words an amount in points */
export const withAmounts = (line: string, format: (points: string) => string): string =>
  line.replace(AMOUNT, (_, name: string, points: string) => `${name}${format(points)}`);
