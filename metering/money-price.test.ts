import { parseModelPrices } from "@tollgate/contract/management/model-price";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { priceAnswer, priceHold } from "./bill";
import { explainBill, explainCharge } from "./formula";
import { findPrice, type Price, type PriceBook } from "./price";
import { parseRatioTable } from "./ratio-table";

const modelPrices = parseModelPrices(
  JSON.stringify({
    "claude-sonnet-4-5": {
      input: 3,
      output: 15,
      tiers: [{ aboveTokens: 200_000, input: 6, output: 22.5 }],
    },
    "gpt-5": { input: 1.25, output: 10, cacheRead: 0.13 },
    "gpt-4": { input: 1 },
    "gpt-4o-audio": { input: 2.5, output: 10, audioInput: 40, audioOutput: 80 },
    dated: [
      { from: "2026-12-01", input: 2, output: 2 },
      { input: 1, output: 1 },
      { from: "2027-01-01T08:00:00+08:00", input: 4, output: 4 },
    ],
    future: [{ from: "2026-12-01", input: 2, output: 2 }],
    given: { input: 0, output: 0 },
    once: { perCall: 0.5 },
  }),
);
if ("fault" in modelPrices) throw new Error(modelPrices.fault);

const book: PriceBook = {
  modelRatios: parseRatioTable('{"future":0.5,"gpt-5":99}')!,
  groupRatios: parseRatioTable('{"default":1,"half":0.5}')!,
  modelPrices,
};
const at = (model: string, time: string, group = "default"): Price =>
  findPrice(book, model, group, Date.parse(time))!;
const NOW = "2026-11-21T00:00:00Z";
const price = (model: string, group?: string): Price => at(model, NOW, group);

describe("a price in money", () => {
  it("goes before the ratio, and by the group's ratio", () => {
    // 1000 × 1.25 + 100 × 10 = 2250 millionths of a dollar, at 500,000 a dollar.
    expect(priceAnswer(price("gpt-5"), 1000, 100).quota).toBe(1125);
    expect(priceAnswer(price("gpt-5", "half"), 1000, 100).quota).toBe(563);
    expect(price("gpt-5").explanation).toEqual([
      { code: "money", input: "1.25", output: "10", group: "1.00" },
    ]);
  });

  it("follows the site's quota per dollar", () => {
    const other = findPrice({ ...book, quotaPerUnit: parseDecimal("1000000") }, "gpt-5", "default", 0)!;
    expect(priceAnswer(other, 1000, 100).quota).toBe(2250);
  });

  it("for a call is one for each picture, and one for a chat however many answers it has", () => {
    // A chat's answers come in one call; it tells its tokens as the sum of them.
    expect(priceAnswer(price("once"), 13, 4 * 500).quota).toBe(250_000);
    const four = priceAnswer(price("once"), 13, 4 * 500, NO_USAGE, undefined, 4);
    expect(four.quota).toBe(1_000_000);
    expect(explainBill(price("once"), four)).toBe("ceil(4 × 0.5 × 500000 × 1) = 1000000");
    expect(priceAnswer(price("gpt-5"), 1000, 100, NO_USAGE, undefined, 4).quota).toBe(1125);
  });

  it("costs at least 1 unless it is nothing", () => {
    expect(priceAnswer(price("gpt-5"), 1, 0).quota).toBe(1);
    expect(priceAnswer(price("given"), 5000, 5000).quota).toBe(0);
    expect(price("given").isFree).toBe(true);
  });

  it("without an output price takes the model's completion ratio", () => {
    expect(priceAnswer(price("gpt-4"), 0, 1000).quota).toBe(1000);
  });

  it("tells its arithmetic", () => {
    const bill = priceAnswer(price("gpt-5"), 1000, 100, { ...NO_USAGE, cacheReadTokens: 400 });
    expect(bill.quota).toBe(901);
    expect(explainBill(price("gpt-5"), bill)).toBe(
      "ceil((600 × 1.25 + 400 × 0.13 + 100 × 10) × 500000 × 1 ÷ 1000000) = 901",
    );
    expect(explainCharge(price("gpt-5"), bill).slice(1)).toEqual([
      { code: "cache-read", count: 400, weight: "0.13" },
    ]);
  });
});

describe("classes of tokens", () => {
  it("have the vendor's factors where no price is set", () => {
    const usage = { ...NO_USAGE, cacheReadTokens: 6000, cacheWriteTokens: 3000, cacheWrite1hTokens: 1000 };
    const bill = priceAnswer(price("claude-sonnet-4-5"), 10_000, 500, usage);
    // 1000 × 3 + 6000 × 0.3 + 2000 × 3.75 + 1000 × 6 + 500 × 15
    expect(bill.quota).toBe(25_800 / 2);
    expect(explainCharge(price("claude-sonnet-4-5"), bill).slice(1)).toEqual([
      { code: "cache-read", count: 6000, weight: "0.3" },
      { code: "cache-write-5m", count: 2000, weight: "3.75" },
      { code: "cache-write-1h", count: 1000, weight: "6" },
    ]);
  });

  it("of sound have their own prices", () => {
    const usage = { ...NO_USAGE, audioInputTokens: 300, audioOutputTokens: 50 };
    // 700 × 2.5 + 300 × 40 + 50 × 10 + 50 × 80
    expect(priceAnswer(price("gpt-4o-audio"), 1000, 100, usage).quota).toBe(18_250 / 2);
  });

  it("never count for more than the whole", () => {
    const usage = { ...NO_USAGE, cacheReadTokens: 900, cacheWriteTokens: 900, audioInputTokens: 900 };
    const { counts } = priceAnswer(price("gpt-5"), 1000, 0, usage);
    expect(counts).toMatchObject({ input: 0, cacheRead: 900, cacheWrite5m: 100, audioInput: 0 });
  });
});

describe("a tier for long contexts", () => {
  it("charges the whole request once its prompt is longer", () => {
    const claude = price("claude-sonnet-4-5");
    expect(priceAnswer(claude, 200_000, 1000).quota).toBe(307_500);
    const long = priceAnswer(claude, 200_001, 1000, { ...NO_USAGE, cacheReadTokens: 1000 });
    // 199,001 × 6 + 1000 × 0.6 + 1000 × 22.5
    expect(long.quota).toBe(608_553);
    expect(explainCharge(claude, long)).toContainEqual({ code: "long-context", tokens: 200_000 });
    expect(priceHold(claude, 200_001, 1000)).toBe(611_253);
  });
});

describe("a price per call", () => {
  it("does not ask for tokens", () => {
    const once = price("once", "half");
    const bill = priceAnswer(once, 13, 5);
    expect(bill.quota).toBe(125_000);
    expect(priceHold(once, 1, 2)).toBe(125_000);
    expect(explainBill(once, bill)).toBe("ceil(0.5 × 500000 × 0.5) = 125000");
    expect(once.explanation).toEqual([{ code: "per-call", usd: "0.5", group: "0.50" }]);
    expect(explainCharge(once, bill)).toBe(once.explanation);
  });
});

describe("a price with a date", () => {
  it.each([
    ["2026-11-30T23:59:59.999Z", 1],
    ["2026-12-01T00:00:00Z", 2],
    ["2026-12-31T23:59:59Z", 2],
    ["2027-01-01T00:00:00Z", 4],
  ])("at %s is the one that holds then", (time, usd) => {
    expect(priceAnswer(at("dated", time), 2_000_000, 0).quota).toBe(usd * 1_000_000);
  });

  it("says until when it holds", () => {
    expect(at("dated", NOW).holdsUntilMs).toBe(Date.parse("2026-12-01"));
    expect(at("dated", "2028-01-01").holdsUntilMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("leaves the ratio in force until it begins", () => {
    expect(priceAnswer(at("future", NOW), 1000, 0).quota).toBe(500);
    expect(at("future", NOW).holdsUntilMs).toBe(Date.parse("2026-12-01"));
    expect(priceAnswer(at("future", "2026-12-02"), 1000, 0).quota).toBe(1000);
  });
});
