import { describe, expect, it } from "vitest";
import {
  buyingRuleFor,
  decodeBuyingPrices,
  encodeBuyingRules,
  findBuyingDateFault,
  parseBuyingRules,
  upstreamListOf,
} from "./buying-price";

const parse = (value: unknown) => parseBuyingRules(JSON.stringify(value));

const rules = (value: unknown) => {
  const read = parse(value);
  if ("fault" in read) throw new Error(read.fault);
  return read;
};

describe("which buying price holds for a model", () => {
  const bought = rules({
    default: { of: "list", factor: 0.9 },
    rules: [
      { model: "gpt-*", of: "list", factor: 0.8 },
      { model: "gpt-*-mini", of: "upstream", factor: 1 },
      { model: "*-mini", of: "list", factor: 0.7 },
      { model: "gpt-4o", prices: [{ input: 2, output: 8 }] },
      { model: "o?-*", of: "list", factor: 0.6 },
      { model: "a-*", of: "list", factor: 0.1 },
      { model: "*-b", of: "list", factor: 0.2 },
    ],
  });
  it.each([
    ["gpt-4o", { prices: [{ input: 2, output: 8 }] }],
    ["gpt-5", { factor: 0.8 }],
    ["gpt-5-mini", { of: "upstream", factor: 1 }],
    ["o5-mini", { factor: 0.7 }],
    ["claude", { of: "list", factor: 0.9 }],
    // Two that say as much of it: the first.
    ["a-b", { factor: 0.1 }],
    ["o?-x", { factor: 0.6 }],
  ])("%s", (model, rule) => {
    expect(buyingRuleFor(bought, model)).toMatchObject(rule);
  });

  it("is undefined when no entry names the model: an unknown price is not 0", () => {
    expect(buyingRuleFor(rules({ rules: [] }), "gpt-4o")).toBeUndefined();
    expect(buyingRuleFor(rules({ rules: [{ model: "*", of: "list", factor: 0 }] }), "gpt-4o")).toMatchObject({
      factor: 0,
    });
  });
});

describe("buying prices that an administrator wrote", () => {
  it.each([
    ["[]", ""],
    ["nothing", "JSON"],
    ['{"rules":[{"model":"m","of":"list"}]}', "rules.0"],
    ['{"rules":[{"model":"m","of":"list","factor":-1}]}', "rules.0"],
    [
      '{"rules":[{"model":"m","of":"list","factor":1},{"model":"m","of":"list","factor":1}]}',
      "rules.1.model",
    ],
    ['{"rules":[{"model":"m","prices":[]}]}', "rules.0"],
    [
      '{"rules":[{"model":"m.x","prices":[{"input":1,"tiers":[{"aboveTokens":1,"input":1,"output":2}]}]}]}',
      "rules.0.prices.0.tiers.0.output",
    ],
    ['{"rules":[{"model":"m","prices":[{"input":1},{"input":2}]}]}', "rules.0.prices.from"],
    ['{"default":{"of":"list","factor":1e9},"rules":[]}', "default"],
    ['{"rules":[],"more":1}', "JSON"],
  ])("%s is refused, and the place named", (text, place) => {
    const read = parseBuyingRules(text);
    expect("fault" in read && read.fault).toContain(place);
  });

  it("are kept in the order of their dates, whatever a model is called", () => {
    const dated = rules({
      rules: [
        {
          model: "__proto__",
          prices: [
            { from: "2026-06-01", input: 2 },
            { from: "2026-01-01", input: 1 },
          ],
        },
      ],
    });
    expect(buyingRuleFor(dated, "__proto__")).toMatchObject({ prices: [{ input: 1 }, { input: 2 }] });
    expect(buyingRuleFor(dated, "constructor")).toBeUndefined();
    expect(parseBuyingRules(encodeBuyingRules(dated))).toEqual(dated);
  });

  it("are read with a day that does not exist, which is found where they are saved", () => {
    const dated = (from: string) =>
      rules({ rules: [{ model: "m", prices: [{ input: 2 }, { from, input: 1 }] }] });
    expect(findBuyingDateFault(dated("2026-02-30"))).toEqual({ fault: "rules.0.prices.from" });
    expect(findBuyingDateFault(dated("2026-02-28"))).toBeUndefined();
  });

  it("are empty when the text is empty, and when the stored text cannot be read", () => {
    expect(encodeBuyingRules(rules({}))).toBe("");
    expect(decodeBuyingPrices("", "")).toBeUndefined();
    expect(decodeBuyingPrices("{", "")).toBeUndefined();
    expect(decodeBuyingPrices('{"rules":[]}', "{")).toEqual({ rules: [] });
    const upstream = { group: "vip", as_of: 1, prices: [{ model: "m", price: { input: 1 } }] };
    expect(decodeBuyingPrices('{"rules":[]}', JSON.stringify(upstream))).toEqual({ rules: [], upstream });
  });
});

describe("an upstream's own list", () => {
  it("is without a price that no list holds, which would else leave the others unread", () => {
    const fair = { model: "fair", price: { input: 1, output: 2 } };
    const absurd = { model: "absurd", price: { input: 1e30, output: 2 } };
    const kept = upstreamListOf("vip", 5, [absurd, fair]);
    expect(kept).toEqual({ group: "vip", as_of: 5, prices: [fair] });
    expect(decodeBuyingPrices("", JSON.stringify(kept))?.upstream).toEqual(kept);
  });
});
