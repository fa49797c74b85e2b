import type { ModelPriceEntry, TokenPrices } from "@tollgate/contract/management/model-price";
import type { Extras } from "@tollgate/contract/relay/extras";
import type { Units } from "@tollgate/contract/relay/operation";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { priceAnswer } from "./bill";
import { findPrice, type Price, type PriceBook } from "./price";
import { priceUse, readShape, unpriceable, useOfTokens, useOfUnits } from "./priced-use";
import type { RatioTable } from "./ratio-table";
import { priceUnits } from "./unit-price";
import { repricerOf } from "./whole-number-price";

type Random = () => number;

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

const NUMBERS = [0, 0.000001, 0.15, 0.1, 1, 1.25, 2.5, 3, 7.77, 15, 1e3, 123456.789] as const;
const table = (random: Random, names: readonly string[]): RatioTable =>
  new Map(names.map((name) => [name, parseDecimal(pick(random, NUMBERS)) ?? { digits: 1n, scale: 0 }]));

const MODELS = ["m", "gpt-4o", "dall-e-3", "gpt-image-1", "claude-3", "__proto__"] as const;
const GROUPS = ["default", "vip", "\u0000 odd \ud800"] as const;

const tokenPrices = (random: Random): TokenPrices => {
  const some = (): { [name: string]: number } =>
    random() < 0.5
      ? {}
      : { cacheRead: pick(random, NUMBERS), cacheWrite5m: pick(random, NUMBERS), audioInput: 4 };
  const tier = () => ({ input: pick(random, NUMBERS), output: pick(random, NUMBERS), ...some() });
  return { ...tier(), ...(random() < 0.4 ? { tiers: [{ aboveTokens: 1000, ...tier() }] } : {}) };
};

const entry = (random: Random): ModelPriceEntry =>
  random() < 0.2 ? { perCall: pick(random, NUMBERS) } : tokenPrices(random);

const bookOf = (random: Random): PriceBook => ({
  modelRatios: table(random, MODELS),
  completionRatios: random() < 0.5 ? table(random, ["m", "gpt-4o"]) : new Map(),
  groupRatios: table(random, GROUPS),
  modelPrices: new Map(MODELS.filter(() => random() < 0.5).map((model) => [model, [entry(random)]])),
  isCacheBilled: random() < 0.8,
  tierRatios: new Map([
    ["priority", { digits: 2n, scale: 0 }],
    ["flex", { digits: 5n, scale: 1 }],
  ]),
  toolPrices: new Map([["web_search", { digits: 10n, scale: 0 }]]),
  quotaPerUnit: parseDecimal(pick(random, [500_000, 1, 333_333.3])),
});

const count = (random: Random): number =>
  pick(random, [0, 1, 13, 999, 1000, 1001, 123_456, Math.floor(random() * 100_000_000)]);

const usageOf = (random: Random): Usage => ({
  ...NO_USAGE,
  cacheReadTokens: pick(random, [undefined, 0, count(random)]),
  cacheWriteTokens: pick(random, [undefined, count(random)]),
  cacheWrite1hTokens: pick(random, [undefined, count(random)]),
  audioInputTokens: pick(random, [undefined, undefined, count(random)]),
  audioOutputTokens: pick(random, [undefined, undefined, count(random)]),
  servedTiers: pick<Usage["servedTiers"]>(random, [
    undefined,
    { service_tier: "priority" },
    { service_tier: "default" },
    { service_tier: "flex", speed: "something" },
  ]),
  toolCalls: pick<Usage["toolCalls"]>(random, [undefined, { web_search: 3 }, { web_search: 5000, other: 1 }]),
});

const extrasOf = (random: Random): Extras | undefined =>
  random() < 0.5
    ? undefined
    : {
        tiers: pick<Extras["tiers"]>(random, [
          [],
          [{ field: "service_tier", name: "priority", path: ["service_tier"] }],
          [
            { field: "service_tier", name: "flex", path: ["service_tier"] },
            { field: "speed", name: undefined, path: ["speed"] },
          ],
        ]),
        tools: pick<Extras["tools"]>(random, [
          [],
          [{ name: "web_search", counts: "web_search", most: 4, isCounted: true, path: ["tools", 0] }],
          [{ name: "web_search", counts: "web_search", most: undefined, isCounted: false, path: [] }],
        ]),
      };

const unitsOf = (random: Random): Units => {
  const amount = count(random);
  return pick<Units>(random, [
    { kind: "characters", count: amount },
    { kind: "seconds", count: amount },
    { kind: "searches", count: amount },
    { kind: "images", count: 1 + (amount % 9), size: "1024x1024", quality: "hd" },
    {
      kind: "images",
      count: 2,
      size: "1792x1024",
      quality: "standard",
      asked: { size: "1024x1024", quality: "" },
    },
  ]);
};

const buyerOf = ({ model, group }: Price) => ({ requestedModel: model, groups: [group] });

/** What is charged, and what is kept of it. */
const charge = (random: Random, price: Price) => {
  if (random() < 0.25) {
    const units = unitsOf(random);
    return { asked: priceUnits(price, units), use: useOfUnits(price, buyerOf(price), units) };
  }
  const [prompt, completion, usage] = [count(random), count(random), usageOf(random)];
  const [extras, calls] = [extrasOf(random), pick(random, [1, 1, 1, 4])];
  const bill = priceAnswer(price, prompt, completion, usage, extras, calls);
  return { asked: bill.quota, use: useOfTokens(price, buyerOf(price), bill.counts, calls, extras, usage) };
};

describe("the record of a charge", () => {
  it("comes to the same when it is repriced: any prices, classes, tiers, units, tools and calls", () => {
    const random = createRandom(31);
    let priced = 0;
    for (let i = 0; i < 2000; i += 1) {
      const price = findPrice(bookOf(random), pick(random, MODELS), pick(random, GROUPS), 0);
      if (!price) continue;
      const { asked, use } = charge(random, price);
      const shape = readShape(use.shape);
      expect(shape).toMatchObject({ model: price.model, group: price.group });
      if (!shape) continue;
      expect([use, priceUse(price, shape, use.values)]).toEqual([use, asked]);
      const values = [...use.values, 99, 99, 99];
      expect([use, repricerOf(price, shape)(values, use.values.length)]).toEqual([use, asked]);
      priced += 1;
    }
    expect(priced).toBeGreaterThan(1900);
  });

  it("costs under other prices the same as the engine would charge", () => {
    const random = createRandom(32);
    for (let i = 0; i < 2000; i += 1) {
      const [book, other] = [bookOf(random), bookOf(random)];
      const [model, group] = [pick(random, MODELS), pick(random, GROUPS)];
      const [price, next] = [findPrice(book, model, group, 0), findPrice(other, model, group, 0)];
      if (!price || !next) continue;
      const [prompt, completion, usage] = [count(random), count(random), usageOf(random)];
      const [extras, calls] = [extrasOf(random), pick(random, [1, 4])];
      const { counts } = priceAnswer(price, prompt, completion, usage, extras, calls);
      const use = useOfTokens(price, buyerOf(price), counts, calls, extras, usage);
      const shape = readShape(use.shape);
      const asked = priceAnswer(next, prompt, completion, usage, extras, calls).quota;
      expect(shape && priceUse(next, shape, use.values)).toBe(asked);
      const reprice = shape && repricerOf(next, shape);
      // Twice: what is remembered is the same.
      expect(reprice?.(use.values, use.values.length)).toBe(asked);
      expect(reprice?.(use.values, use.values.length)).toBe(asked);
    }
  });

  it("drops an unbounded shape: such a charge stays as it was", () => {
    const book = bookOf(createRandom(1));
    const price = findPrice(book, "m", "default", 0);
    if (!price) throw new Error("no price");
    const units: Units = { kind: "images", count: 1, size: "9".repeat(3000), quality: "" };
    expect(useOfUnits(price, buyerOf(price), units)).toEqual(unpriceable(price));
  });

  it("is exact in whole numbers up to where these end, and beyond: at each edge of rounding", () => {
    const random = createRandom(33);
    const shape = { model: "m", group: "default", requestedModel: "m", groups: ["default"] };
    for (let i = 0; i < 3000; i += 1) {
      const digits = () => BigInt(Math.floor(random() * 10 ** Math.floor(random() * 16)));
      const ratio = { digits: digits(), scale: Math.floor(random() * 14) };
      const book: PriceBook = {
        modelRatios: new Map([["m", ratio]]),
        completionRatios: new Map([["m", { digits: digits(), scale: Math.floor(random() * 12) }]]),
        groupRatios: new Map(),
      };
      const price = findPrice(book, "m", "default", 0);
      if (!price) throw new Error("no price");
      // At and beside a multiple of the denominator, where a division that is rounded goes wrong.
      const step = Number(10n ** BigInt(ratio.scale % 8));
      const tokens = Math.floor(random() * 1000) * step + pick(random, [-1, 0, 1]);
      const values = [Math.max(0, tokens), count(random)];
      expect([ratio, values, repricerOf(price, shape)(values, 2)]).toEqual([
        ratio,
        values,
        priceUse(price, shape, values),
      ]);
    }
  });

  it("reads no shape out of invalid text", () => {
    for (const text of ["", "1", "{}", "[1,2]", '["m"]', '["m","g",7]', "nonsense"])
      expect(readShape(text)).toBeUndefined();
  });
});
