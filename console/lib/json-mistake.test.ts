import { expect, it } from "vitest";
import { findJsonMistake } from "./json-mistake";

it.each(["{}", '{"a": "b"}', ' {"a": [1, -2.5e3, true, null], "b": {"c": "\\u00e9\\n"}}\n', '"text"', "0"])(
  "finds nothing in %j",
  (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(findJsonMistake(text)).toBeUndefined();
  },
);

it.each([
  ["", 1, 1],
  ["{", 1, 2],
  ['{"a": "b",}', 1, 11],
  ['{"a": "b"\n "c": "d"}', 2, 2],
  ['{\n  "a": ,\n}', 2, 8],
  ["{'a': 1}", 1, 2],
  ['{"a": "b"} x', 1, 12],
  ['{"a": 01}', 1, 8],
])("finds the place in %j", (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonMistake(text)).toEqual({ line, column });
});
