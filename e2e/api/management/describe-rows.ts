import { describe, expect, it } from "vitest";
import { type Row, type RowWorld, runRow, titleOf } from "./row-runner";

/** One test for each row, in their order. */
export const describeRows = (title: string, world: () => RowWorld, rows: readonly Row[]): void => {
  describe(title, () => {
    it.each(rows.map((row) => [titleOf(row), row] as const))("%s", async (_, row) => {
      expect(await runRow(world(), row)).toEqual([]);
    });
  });
};
