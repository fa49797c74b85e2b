import {
  parseCacheRatios,
  parseModelPrices,
  type TokenPrices,
} from "@tollgate/contract/management/model-price";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { priceAnswer, priceHold } from "./bill";
import { explainBill, explainCharge } from "./formula";
import { findPrice, type Price, type PriceBook } from "./price";
import { parseRatioTable } from "./ratio-table";

/** What vendors ask; "large" is also called "large-2026-01-01". */
const LISTS: Readonly<Record<string, readonly TokenPrices[]>> = {
  large: [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      audioInput: 30,
      tiers: [
        { aboveTokens: 1000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite5m: 7.5, audioInput: 60 },
      ],
    },
  ],
  thirds: [{ input: 0.3, output: 0.7, cacheRead: 0.1 }],
  dated: [
    { input: 1, output: 4 },
    { from: "2027-01-01", input: 2, output: 8 },
  ],
  vectors: [{ input: 0.1 }],
  given: [{ input: 0, output: 0 }],
  unpriced: [],
  "gpt-3.5-turbo": [{ input: 0.5, output: 1.5 }],
};

const DEFAULTS = { large: 1.5, thirds: 0.15, dated: 0.5, vectors: 0.05, given: 0, "gpt-3.5-turbo": 0.25 };
const tableOf = (ratios: Readonly<Record<string, number>>) => parseRatioTable(JSON.stringify(ratios))!;

const book = (
  ratios: Readonly<Record<string, number>> = DEFAULTS,
  more: Partial<PriceBook> = {},
): PriceBook => ({
  modelRatios: tableOf(ratios),
  groupRatios: tableOf({ default: 1, half: 0.5 }),
  findListPrice: (model) => {
    const name = model.replace(/-\d{4}-\d\d-\d\d$/, "");
    const entries = LISTS[name];
    return entries && { name, entries };
  },
  ...more,
});

const NOW = Date.parse("2026-11-21");
const price = (model: string, of = book(), group = "default", at = NOW): Price =>
  findPrice(of, model, group, at)!;

describe("the ratio that a price list stands for", () => {
  it("charges by the list: output, cached tokens, sound and longer prompts", () => {
    expect(priceAnswer(price("large"), 1000, 100).quota).toBe(Math.ceil((1000 * 3 + 100 * 15) / 2));
    const usage = { ...NO_USAGE, cacheReadTokens: 500, cacheWriteTokens: 200, audioInputTokens: 100 };
    const bill = priceAnswer(price("large"), 1000, 100, usage);
    expect(bill.quota).toBe(Math.ceil((200 * 3 + 500 * 0.3 + 200 * 3.75 + 100 * 30 + 100 * 15) / 2));
    const long = priceAnswer(price("large"), 1001, 100, usage);
    expect(long.quota).toBe(Math.ceil((201 * 6 + 500 * 0.6 + 200 * 7.5 + 100 * 60 + 100 * 22.5) / 2));
    expect(priceHold(price("large"), 1001, 100)).toBe(Math.ceil((1001 * 6 + 100 * 22.5) / 2));
  });

  it("is told as the contract tells ratios", () => {
    const large = price("large", book(), "half");
    expect(large.explanation).toEqual([{ code: "ratios", model: "1.50", group: "0.50" }]);
    const bill = priceAnswer(large, 1000, 100, { ...NO_USAGE, cacheReadTokens: 400 });
    expect(explainBill(large, bill)).toBe("ceil((600 × 1 + 400 × 0.1 + 100 × 5) × 1.5 × 0.5) = 855");
    expect(explainCharge(large, bill)).toEqual([
      ...large.explanation,
      { code: "cache-read", count: 400, weight: "0.1" },
    ]);
  });

  it("is told without zeros at its end", () => {
    const vectors = price("vectors", book({ ...DEFAULTS, vectors: 0.05 }));
    expect(vectors.unitText).toBe("0.05 × 1");
    expect(price("dated", book(), "default", Date.parse("2027-01-01")).unitText).toBe("1 × 1");
  });

  it("does not follow the site's points per dollar, as no ratio does", () => {
    const other = price("large", book(DEFAULTS, { quotaPerUnit: parseDecimal(1_000_000) }));
    expect(priceAnswer(other, 1000, 100).quota).toBe(2250);
  });

  it("is never above the list where a quotient has no end", () => {
    const thirds = price("thirds");
    // 3,000,000 × 0.1 + 3,000,000 × 0.7 = 2.4 USD
    expect(priceAnswer(thirds, 3_000_000, 3_000_000, { ...NO_USAGE, cacheReadTokens: 3_000_000 }).quota).toBe(
      1_200_000,
    );
  });

  it("holds for the model under its name with a date, too", () => {
    expect(priceAnswer(price("large-2026-01-01"), 1000, 100).quota).toBe(2250);
    // An option that names the dated one goes first.
    const own = book({ ...DEFAULTS, "large-2026-01-01": 3 });
    expect(priceAnswer(price("large-2026-01-01", own), 1000, 0).quota).toBe(3000);
  });

  it("changes with the list at its date, although the option still has the older ratio", () => {
    expect(priceAnswer(price("dated"), 1000, 100).quota).toBe(700);
    expect(price("dated").holdsUntilMs).toBe(Date.parse("2027-01-01"));
    const later = price("dated", book(), "default", Date.parse("2027-01-01"));
    expect(priceAnswer(later, 1000, 100).quota).toBe(1400);
  });

  it("of nothing is free", () => {
    expect(price("given")).toMatchObject({ isFree: true, isOutputPriced: true });
    expect(priceAnswer(price("given"), 1000, 1000).quota).toBe(0);
  });
});

describe("a ratio of the administrator's own", () => {
  it("is the contract's formula, one price for all lengths, with the list's output and cached tokens in proportion", () => {
    const own = price("large", book({ large: 3 }));
    expect(own.tiers).toHaveLength(1);
    const bill = priceAnswer(own, 2000, 100, { ...NO_USAGE, cacheReadTokens: 1000 });
    expect(bill.quota).toBe(1000 * 3 + 1000 * 0.3 + 100 * 5 * 3);
  });

  it("keeps the contract's completion ratio where the contract has one", () => {
    // The charge of a site that saved the contract's table; the list says 3 to its own ratio.
    expect(priceAnswer(price("gpt-3.5-turbo", book({ "gpt-3.5-turbo": 0.75 })), 13, 5).quota).toBe(18);
    expect(priceAnswer(price("gpt-3.5-turbo"), 13, 5).quota).toBe(7);
  });
});

describe("the option CompletionRatio", () => {
  const withRatios = (ratios: Readonly<Record<string, number>>, more: Partial<PriceBook> = {}) =>
    book({ ...DEFAULTS, own: 2, "gpt-4": 15 }, { completionRatios: tableOf(ratios), ...more });

  it("goes before the list, the contract's rule and nothing at all; longer prompts and cached tokens stay", () => {
    expect(priceAnswer(price("own", withRatios({ own: 4 })), 100, 100).quota).toBe(2 * (100 + 400));
    expect(priceAnswer(price("gpt-4", withRatios({ "gpt-4": 3 })), 0, 100).quota).toBe(15 * 300);
    const large = price("large", withRatios({ large: 10 }));
    expect(priceAnswer(large, 1000, 100).quota).toBe((1000 * 3 + 100 * 30) / 2);
    expect(priceAnswer(large, 1001, 100, { ...NO_USAGE, cacheReadTokens: 1000 }).quota).toBe(
      Math.ceil((1 * 6 + 1000 * 0.6 + 100 * 60) / 2),
    );
  });

  it("is asked for a dated name by the list's name", () => {
    expect(priceAnswer(price("large-2026-01-01", withRatios({ large: 2 })), 0, 100).quota).toBe(300);
  });

  it("gives a price in money its output, where that has none", () => {
    const modelPrices = parseModelPrices('{"own":{"input":4}}');
    if ("fault" in modelPrices) throw new Error(modelPrices.fault);
    const own = price("own", withRatios({ own: 3 }, { modelPrices }));
    expect(own.isOutputPriced).toBe(true);
    expect(priceAnswer(own, 0, 1000).quota).toBe(6000);
    expect(price("own", withRatios({}, { modelPrices })).isOutputPriced).toBe(false);
  });

  it("may be 0: a written 0 means free", () => {
    expect(priceAnswer(price("own", withRatios({ own: 0 })), 100, 100).quota).toBe(200);
  });
});

describe("the option CacheRatio", () => {
  const cacheRatios = parseCacheRatios('{"large":0.5}');
  if ("fault" in cacheRatios) throw new Error(cacheRatios.fault);

  it("goes before the list at every length", () => {
    const large = price("large", book(DEFAULTS, { cacheRatios }));
    const usage = { ...NO_USAGE, cacheReadTokens: 1000 };
    expect(priceAnswer(large, 1000, 0, usage).quota).toBe(750);
    expect(priceAnswer(large, 2000, 0, usage).quota).toBe((1000 * 6 + 1000 * 3) / 2);
  });

  it("is nothing where cached tokens are not billed apart: the list's prices of them are not, either", () => {
    const large = price("large", book(DEFAULTS, { isCacheBilled: false }));
    const usage = { ...NO_USAGE, cacheReadTokens: 500, cacheWriteTokens: 500 };
    expect(priceAnswer(large, 1000, 0, usage).quota).toBe(1500);
  });
});

describe("a model whose output has no price", () => {
  it.each(["own", "unpriced", "vectors"])("%s is told apart from one that has", (model) => {
    expect(price(model, book({ ...DEFAULTS, own: 2, unpriced: 2 })).isOutputPriced).toBe(false);
  });

  it.each(["large", "given", "gpt-3.5-turbo", "gpt-4"])("%s has one", (model) => {
    expect(price(model, book({ ...DEFAULTS, "gpt-4": 15 })).isOutputPriced).toBe(true);
  });

  it.each(["gpt-4o", "gpt-4.1", "gpt-4.5-preview", "claude-4"])(
    "%s is not priced by the rule of 2023 that its name begins like",
    (model) => {
      expect(price(model, book({ [model]: 1 })).isOutputPriced).toBe(false);
    },
  );

  it("stays free when its ratio is 0, and is priced when a fallback prices all models", () => {
    expect(price("own", book({ own: 0 })).isOutputPriced).toBe(true);
    const fallback = price("own", book(DEFAULTS, { fallbackRatio: parseDecimal(30) }));
    expect(fallback.isOutputPriced).toBe(true);
    expect(priceAnswer(fallback, 13, 5).quota).toBe(540);
  });

  it("has no price at all where nothing names it", () => {
    expect(findPrice(book(), "unpriced", "default", NOW)).toBeUndefined();
    expect(findPrice(book(), "own", "default", NOW)).toBeUndefined();
  });
});
