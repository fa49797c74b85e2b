import { expect, it } from "vitest";
import { findChangedLines } from "./changed-lines";

it("names the lines that go and those that come, whatever stands after them", () => {
  expect(findChangedLines('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 3,\n  "c": 4\n}')).toEqual({
    removed: ['"b": 2'],
    added: ['"b": 3', '"c": 4'],
  });
  expect(findChangedLines("x\nx", "x")).toEqual({ removed: ["x"], added: [] });
});
