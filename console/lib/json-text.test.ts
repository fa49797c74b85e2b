import { expect, it } from "vitest";
import { findJsonMistake, formatJson, readJson } from "./json-text";

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

it.each([
  "{}",
  "[]",
  '{"b":1.50,"10":0.10,"b":12345678901234567890}',
  '{"a":[{"b":"\\u00e9"},[],{}],"c":null,"d":"é\\n"}',
])("lays %s out without changing a value, its digits or its order", (text) => {
  const read = readJson(text);
  if (!("node" in read)) throw new Error("no JSON");
  const laidOut = formatJson(read.node);
  expect(laidOut.replaceAll(/\s/g, "")).toBe(text);
  expect(JSON.parse(laidOut)).toEqual(JSON.parse(text));
});

it("lays JSON out as JSON.stringify does", () => {
  const value = { a: [1, [], {}, { b: "x y" }], c: {} };
  const read = readJson(JSON.stringify(value));
  expect("node" in read && formatJson(read.node)).toBe(JSON.stringify(value, null, 2));
});

it("gives up on a text that is nested without end", () => {
  expect(findJsonMistake("[".repeat(200_000))).toEqual({ line: 1, column: 102 });
});
