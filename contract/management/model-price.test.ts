import { describe, expect, it } from "vitest";
import { findPriceDateFault, parseCacheRatios, parseModelPrices } from "./model-price";

describe("parseModelPrices", () => {
  it("sorts prices by their start", () => {
    const parsed = parseModelPrices(
      '{"a":[{"from":"2027-01-01","input":3},{"input":1},{"from":"2026-12-01T08:00:00+08:00","perCall":2}],"b":{"input":1,"output":2}}',
    );
    expect(parsed).toEqual(
      new Map<string, object[]>([
        [
          "a",
          [{ input: 1 }, { from: "2026-12-01T08:00:00+08:00", perCall: 2 }, { from: "2027-01-01", input: 3 }],
        ],
        ["b", [{ input: 1, output: 2 }]],
      ]),
    );
  });

  it.each([
    ["", "JSON"],
    ["[]", "JSON"],
    ['{"a":1}', "a"],
    ['{"a":{}}', "a.input"],
    ['{"a":{"input":-1}}', "a.input"],
    ['{"a":{"input":"1"}}', "a.input"],
    ['{"a":{"input":1,"ouput":2}}', "a.ouput"],
    ['{"a":{"input":1,"perCall":2}}', "a.input"],
    ['{"a":{"perCall":null}}', "a.perCall"],
    ['{"a":{"input":1,"from":"1 December"}}', "a.from"],
    ['{"a":{"input":1,"from":"2026-13-01"}}', "a.from"],
    ['{"a":{"input":1,"from":"2026-12-01T08:00:00"}}', "a.from"],
    ['{"a":[{"input":1},{"input":2}]}', "a.from"],
    ['{"a":[{"input":1},{"input":2,"from":5}]}', "a.1.from"],
    ['{"a":{"input":1,"output":2,"tiers":[{"aboveTokens":100,"input":2}]}}', "a.tiers.0.output"],
    ['{"a":{"input":1,"tiers":[{"aboveTokens":100,"input":2,"output":2}]}}', "a.tiers.0.output"],
    ['{"a":{"input":1,"tiers":[{"aboveTokens":0,"input":2}]}}', "a.tiers.0.aboveTokens"],
    [
      '{"a":{"input":1,"tiers":[{"aboveTokens":9,"input":2},{"aboveTokens":9,"input":3}]}}',
      "a.tiers.1.aboveTokens",
    ],
  ])("refuses %s and names the place", (text, fault) => {
    expect(parseModelPrices(text)).toEqual({ fault });
  });
});

describe("findPriceDateFault", () => {
  it.each([
    ['{"a":{"input":1,"from":"2026-02-30"}}', "a.from"],
    ['{"a":{"input":1,"from":"2026-02-30T08:00:00+08:00"}}', "a.from"],
    ['{"a":[{"input":1,"from":"2026-12-01"},{"input":2,"from":"2026-12-01T00:00:00Z"}]}', "a.from"],
  ])("names the place in %s, which can still be read", (text, fault) => {
    expect(parseModelPrices(text)).toBeInstanceOf(Map);
    expect(findPriceDateFault(text)).toEqual({ fault });
  });

  it.each([
    '{"a":[{"input":1},{"input":2,"from":"2028-02-29"},{"input":3,"from":"2028-02-29T01:00:00Z"}]}',
    "{",
  ])("finds none in %s", (text) => {
    expect(findPriceDateFault(text)).toBeUndefined();
  });
});

describe("parseCacheRatios", () => {
  it("takes a number for the factor of a read", () => {
    expect(parseCacheRatios('{"a":0.5,"b":{"read":0.1,"write5m":1.25}}')).toEqual(
      new Map([
        ["a", { read: 0.5 }],
        ["b", { read: 0.1, write5m: 1.25 }],
      ]),
    );
  });

  it.each([
    ["{", "JSON"],
    ['{"a":-1}', "a"],
    ['{"a":{"reads":1}}', "a"],
  ])("refuses %s", (text, fault) => {
    expect(parseCacheRatios(text)).toEqual({ fault });
  });
});
