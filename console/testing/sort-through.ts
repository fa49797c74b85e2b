import { expect } from "vitest";
import { waitFor } from "./draw";
import type { OpenConsole } from "./open-console";

/**
 * Clicks each header three times: rows ascending, descending, and in their first order. No column's order may equal the
 * first order, and no two values of a column may be equal.
 * @param markOf one character for a row, by its cells.
 * @returns the ascending orders, each as one word of the marks.
 */
export const sortThrough = async (
  { cells, sortBy }: OpenConsole,
  columns: readonly string[],
  markOf: (row: string[]) => string | undefined,
): Promise<Record<string, string>> => {
  const order = () => cells().map(markOf).join("");
  const came = order();
  const orders: Record<string, string> = {};
  /** Waits until all rows are shown again: a list may be read to its end first. */
  const settled = (check: () => void) =>
    waitFor(() => {
      expect(order()).toHaveLength(came.length);
      check();
    });
  for (const column of columns) {
    sortBy(column);
    await settled(() => expect(order(), `${column}, ascending`).not.toBe(came));
    const up = order();
    orders[column] = up;
    sortBy(column);
    await settled(() => expect(order(), `${column}, descending`).toBe([...up].reverse().join("")));
    sortBy(column);
    await settled(() => expect(order(), `${column}, not sorted any more`).toBe(came));
  }
  return orders;
};
