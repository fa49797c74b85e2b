import { describe, expect, it } from "vitest";
import { stripEnd } from "./strip-end";

describe("a text without the characters at its end", () => {
  it.each([
    ["a__", "_", "a"],
    ["_a", "_", "_a"],
    ["__", "_", ""],
    ["", "/", ""],
    ["http://a/b//", "/", "http://a/b"],
  ])("%j without %j is %j", (text, character, expected) => {
    expect(stripEnd(text, character)).toBe(expected);
  });
});
