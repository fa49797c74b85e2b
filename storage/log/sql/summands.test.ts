import { describe, expect, it } from "vitest";
import { SUM_COLUMNS, type Summands } from "./sum-columns";
import { addSummands, NOTHING } from "./summands";

describe("addSummands", () => {
  it("adds every column of the sums", () => {
    const more = Object.fromEntries(SUM_COLUMNS.map((column, index) => [column, index + 1])) as Summands;
    const sum = { ...NOTHING };
    addSummands(sum, more);
    addSummands(sum, more);
    expect(sum).toEqual(Object.fromEntries(SUM_COLUMNS.map((column, index) => [column, 2 * (index + 1)])));
  });
});
