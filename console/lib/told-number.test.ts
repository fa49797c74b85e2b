import { expect, it } from "vitest";
import { toldNumber } from "./told-number";

it.each([
  [3, 3],
  [0, 0],
  [-1.5, -1.5],
  ["12", 12],
  ["", undefined],
  ["many", undefined],
  [null, undefined],
  [undefined, undefined],
  [true, undefined],
  [{ count: 3 }, undefined],
  [[3], undefined],
  [Number.NaN, undefined],
  ["Infinity", undefined],
])("an answer's %j is told as %j", (data, told) => {
  expect(toldNumber(data)).toBe(told);
});
