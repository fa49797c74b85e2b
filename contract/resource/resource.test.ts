import { expect, it } from "vitest";
import { count } from "./resource";

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
])("reads an answer's %j as the count %j", (data, read) => {
  expect(count.read(data)).toBe(read);
});
