import { type BuyingPrices, parseBuyingRules } from "@tollgate/contract/management/buying-price";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { findBuyingPrice } from "./buying-price";
import { type CountedAnswer, costAnswer } from "./cost";
import type { PriceBook } from "./price";
import { parseRatioTable } from "./ratio-table";

const NOW = Date.UTC(2026, 10, 1);

const BOOK: PriceBook = {
  // What the site sells at, which has no part in what it pays.
  modelRatios: parseRatioTable('{"gpt-4o":99}') ?? new Map(),
  groupRatios: parseRatioTable('{"default":7}') ?? new Map(),
  completionRatios: parseRatioTable('{"gpt-4o":99}') ?? new Map(),
  fallbackRatio: parseDecimal(5),
  toolPrices: parseRatioTable('{"web_search_options":10}') ?? new Map(),
  findListPrice: (model) =>
    model === "gpt-4o"
      ? { name: "gpt-4o", entries: [{ input: 2.5, output: 10, cacheRead: 1.25 }] }
      : undefined,
};

const rules = (value: unknown): BuyingPrices => {
  const read = parseBuyingRules(JSON.stringify(value));
  if ("fault" in read) throw new Error(read.fault);
  return read;
};

const cost = (buying: BuyingPrices, counted: Partial<CountedAnswer>, model = "gpt-4o") => {
  const price = findBuyingPrice(BOOK, buying, model, NOW);
  return price && costAnswer(price, { promptTokens: 0, completionTokens: 0, ...counted });
};

describe("an answer's cost for the operator", () => {
  const LIST = rules({ default: { of: "list", factor: 0.8 } });

  it("is the list price times a factor, exactly, in thousandths of quota", () => {
    // (13 × 2.5 + 5 × 10) ÷ 1,000,000 × 500,000 × 0.8
    expect(cost(LIST, { promptTokens: 13, completionTokens: 5 })).toEqual({
      cost: 33_000,
      formula: "(13 × 2.5 + 5 × 10) × 500000 × 0.8 ÷ 1000000 = 33",
    });
    // Nothing is rounded up, and no answer costs at least a whole point.
    expect(cost(rules({ default: { of: "list", factor: 0.001 } }), { promptTokens: 1 })).toEqual({
      cost: 1,
      formula: "(1 × 2.5 + 0 × 10) × 500000 × 0.001 ÷ 1000000 = 0.001",
    });
    expect(cost(rules({ default: { of: "list", factor: 0 } }), { promptTokens: 1000 })?.cost).toBe(0);
  });

  it("counts the classes of tokens as a charge does", () => {
    const usage = { ...NO_USAGE, cacheReadTokens: 800 };
    // (200 × 2.5 + 800 × 1.25 + 10 × 10) ÷ 2 × 0.8
    expect(cost(LIST, { promptTokens: 1000, completionTokens: 10, usage })?.cost).toBe(640_000);
  });

  it("is the typed price, from its date on, by the prompt's length, and per call", () => {
    const typed = rules({
      rules: [
        {
          model: "gpt-*",
          prices: [
            { input: 1, output: 2, tiers: [{ aboveTokens: 100, input: 2, output: 4 }] },
            { from: "2026-12-01", input: 50, output: 50 },
          ],
        },
        { model: "image", prices: [{ perCall: 0.01 }] },
      ],
    });
    expect(cost(typed, { promptTokens: 100, completionTokens: 1 })?.cost).toBe(51_000);
    expect(cost(typed, { promptTokens: 101, completionTokens: 1 })?.cost).toBe(103_000);
    expect(cost(typed, { promptTokens: 9 }, "image")).toEqual({
      cost: 5_000_000,
      formula: "0.01 × 500000 × 1 = 5000",
    });
    const images = { kind: "images", count: 3, size: "", quality: "" } as const;
    expect(cost(typed, { units: images }, "image")).toMatchObject({ cost: 15_000_000 });
  });

  it("is of the upstream's own list where that is said", () => {
    const upstream = {
      group: "vip",
      as_of: 0,
      prices: [{ model: "theirs", price: { input: 3, output: 6 } }],
    };
    const buying: BuyingPrices = { ...rules({ default: { of: "upstream", factor: 0.5 } }), upstream };
    expect(cost(buying, { promptTokens: 2, completionTokens: 1 }, "theirs")?.cost).toBe(3000);
    expect(cost(buying, { promptTokens: 2 }, "gpt-4o")).toBeUndefined();
  });

  it("is not known where nothing says it, which is not nothing", () => {
    expect(cost(rules({ rules: [{ model: "claude-*", of: "list", factor: 1 }] }), {})).toBeUndefined();
    expect(cost(LIST, { promptTokens: 1 }, "nobody-lists-it")).toBeUndefined();
    const future = rules({ rules: [{ model: "m", prices: [{ from: "2027-01-01", input: 1, output: 1 }] }] });
    expect(cost(future, { promptTokens: 1 }, "m")).toBeUndefined();
    const inputOnly = rules({ rules: [{ model: "m", prices: [{ input: 1 }] }] });
    expect(cost(inputOnly, { promptTokens: 1 }, "m")?.cost).toBe(500);
    expect(cost(inputOnly, { promptTokens: 1, completionTokens: 1 }, "m")).toBeUndefined();
    const absurd = rules({ rules: [{ model: "m", prices: [{ input: 1_000_000, output: 1 }] }] });
    expect(cost(absurd, { promptTokens: 100_000_000 }, "m")).toBeUndefined();
  });

  it.each(seeds(40))(
    "adds up to the cost of all tokens together, within half a thousandth each (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const amount = (most: number): number => Math.floor(random() * most);
      const [input, output, factor] = [amount(1000) / 100, amount(5000) / 100, amount(2000) / 1000];
      const buying = rules({ rules: [{ model: "*", prices: [{ input, output }] }] });
      const ofList = rules({ default: { of: "list", factor } });
      let [sum, promptTokens, completionTokens] = [0, 0, 0];
      const COUNT = 50;
      for (let i = 0; i < COUNT; i += 1) {
        const counted = { promptTokens: amount(50), completionTokens: amount(50) };
        promptTokens += counted.promptTokens;
        completionTokens += counted.completionTokens;
        sum += cost(buying, counted, "m")?.cost ?? Number.NaN;
        // (2.5 and 10 dollars, at 500 thousandths for a token at a dollar a million)
        const exact = (counted.promptTokens * 2.5 + counted.completionTokens * 10) * 500 * factor;
        expect(Math.abs((cost(ofList, counted)?.cost ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
      }
      const exact = (promptTokens * input + completionTokens * output) * 500;
      expect(Math.abs(sum - exact)).toBeLessThanOrEqual(COUNT / 2 + 1e-6);
    },
  );
});
