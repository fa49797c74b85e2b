import { describe, expect, it } from "vitest";
import {
  chooseUpstreamName,
  encodeMapping,
  mainUpstreamName,
  parseModelMapping,
  upstreamNamesOf,
} from "./model-mapping";

const TEXT = JSON.stringify(
  {
    plain: "one",
    several: [
      { name: "a", weight: 1 },
      { name: "b", weight: 3 },
    ],
  },
  null,
  2,
);
const MAPPING = parseModelMapping(TEXT) ?? {};

describe("a channel's names for models", () => {
  it("are one-api's JSON text, in which a value may also be a list of names with weights", () => {
    expect(encodeMapping(MAPPING)).toBe(TEXT);
    expect(parseModelMapping("")).toEqual({});
    expect(encodeMapping({})).toBe("");
  });

  it.each([
    ...["[]", "{", '{"a":1}', '{"a":[]}', '{"a":["b"]}', '{"a":[{"name":"b"}]}'],
    ...[
      '{"a":[{"name":"","weight":1}]}',
      '{"a":[{"name":"b","weight":0}]}',
      '{"a":[{"name":"b","weight":0.5}]}',
    ],
  ])("are refused as %s", (text) => {
    expect(parseModelMapping(text)).toBeUndefined();
  });

  it("are chosen by weight, and stand under the heaviest where one must do", () => {
    const chosen = (draw: number) => chooseUpstreamName(MAPPING, "several", () => draw);
    expect([0, 0.24, 0.25, 0.99].map(chosen)).toEqual(["a", "a", "b", "b"]);
    expect(mainUpstreamName(MAPPING, "several")).toBe("b");
    expect(upstreamNamesOf(MAPPING, "several")).toEqual(["a", "b"]);
    const undrawn = () => {
      throw new Error("one name needs no draw");
    };
    expect(
      ["plain", "other", "toString"].map((model) => chooseUpstreamName(MAPPING, model, undrawn)),
    ).toEqual([...["one", "other", "toString"]]);
  });
});
