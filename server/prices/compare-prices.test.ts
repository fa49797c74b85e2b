import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import type { PriceRow } from "@tollgate/contract/management/price-sync";
import { readPriceDocument } from "@tollgate/vendors/price-sources/read-price-document";
import { describe, expect, it } from "vitest";
import { cataloguePrices } from "./catalogue-prices";
import { comparePrices } from "./compare-prices";
import { NOW_MS, sitePrices } from "./testing/site-prices";

const NOBODY_WAITS = async (): Promise<void> => {};

interface Case {
  options?: Record<string, string>;
  /** By model, as models.dev writes costs. */
  costs: Record<string, unknown>;
  offered?: string[];
  locked?: string[];
  isOnlyOffered?: boolean;
}

const compare = async ({ options, costs, offered = [], locked = [], isOnlyOffered = false }: Case) => {
  const { pricing } = await sitePrices(options);
  const models = Object.fromEntries(Object.entries(costs).map(([id, cost]) => [id, { id, cost }]));
  const document = (await readPriceDocument({ openai: { models } }, NOBODY_WAITS)) ?? {
    prices: [],
    refused: [],
  };
  return comparePrices({
    book: pricing.book(),
    nowMs: NOW_MS,
    document,
    offered: new Set(offered),
    locked: new Set(locked),
    isOnlyOffered,
    yieldToOthers: NOBODY_WAITS,
  });
};

const one = async (each: Case): Promise<PriceRow> => {
  const [row] = await compare(each);
  if (!row) throw new Error("no row");
  return row;
};

const priced = (prices: Record<string, ModelPriceEntry>) => ({ ModelPrice: JSON.stringify(prices) });

describe("a model of a list", () => {
  it("that has no price here is new", async () => {
    const row = await one({ costs: { "brand-new": { input: 1, output: 4 } } });
    expect(row).toMatchObject({
      model: "brand-new",
      state: "new",
      seller: "openai",
      price: { input: 1, output: 4 },
      next: { input: 1, output: 4, cacheRead: 1 },
      differences: [
        { part: "input", above_tokens: 0, next: 1 },
        { part: "output", above_tokens: 0, next: 4 },
      ],
    });
    expect(row).not.toHaveProperty("old");
  });

  it("that costs something else here has changed, part by part", async () => {
    const options = priced({ m: { input: 2, output: 8, cacheRead: 0.5 } });
    expect(await one({ options, costs: { m: { input: 2, output: 10, cache_read: 0.2 } } })).toMatchObject({
      state: "changed",
      old: { input: 2, output: 8, cacheRead: 0.5 },
      next: { input: 2, output: 10, cacheRead: 0.2 },
      differences: [
        { part: "cacheRead", old: 0.5, next: 0.2, percent: -60 },
        { part: "output", old: 8, next: 10, percent: 25 },
      ],
    });
  });

  it("that costs the same is the same, whether by ratio or in money", async () => {
    const options = { ModelRatio: '{"m":0.5}', CompletionRatio: '{"m":4}' };
    const row = await one({ options, costs: { m: { input: 1, output: 4 } } });
    expect(row).toMatchObject({ state: "same", differences: [] });
    expect(row).not.toHaveProperty("price");
  });

  it("keeps the catalogue's price until an administrator accepts another one", async () => {
    const row = await one({
      costs: { "claude-sonnet-4-5": { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
    });
    expect(row.old).toMatchObject({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
    });
  });

  it("a thousand times dearer or cheaper is refused and told", async () => {
    const options = priced({ m: { input: 0.1, output: 0.1 } });
    const row = await one({ options, costs: { m: { input: 100, output: 0.1 } } });
    expect(row).toMatchObject({ state: "refused", fault: "absurd", differences: [{ old: 0.1, next: 100 }] });
    expect(row).not.toHaveProperty("price");
    expect(await one({ options, costs: { m: { input: 0.0001, output: 0.1 } } })).toMatchObject({
      fault: "absurd",
    });
  });

  it("whose price cannot be meant is refused and told", async () => {
    expect(await one({ costs: { m: { input: 0, output: 1 } } })).toMatchObject({
      state: "refused",
      fault: "zero",
    });
  });

  it("keeps the price of sound when the list has none", async () => {
    const options = priced({ m: { input: 2, output: 8, audioInput: 40, audioOutput: 80 } });
    const cost = { input: 3, output: 9, context_over_200k: { input: 6, output: 18 } };
    expect((await one({ options, costs: { m: cost } })).price).toEqual({
      input: 3,
      output: 9,
      audioInput: 40,
      audioOutput: 80,
      tiers: [{ aboveTokens: 200_000, input: 6, output: 18, audioInput: 40, audioOutput: 80 }],
    });
  });

  it("that is locked says so", async () => {
    expect(await one({ costs: { m: { input: 1, output: 1 } }, locked: ["m"] })).toMatchObject({
      is_locked: true,
    });
  });
});

describe("a comparison of offered models", () => {
  it("leaves out models without an offer and without a price", async () => {
    const cost = { input: 1, output: 4 };
    const rows = await compare({
      options: priced({ own: { input: 1, output: 1 } }),
      costs: { offered: cost, own: cost, other: cost },
      offered: ["offered"],
      isOnlyOffered: true,
    });
    expect(rows.map(({ model, is_offered }) => [model, is_offered])).toEqual([
      ["offered", true],
      ["own", false],
    ]);
  });

  it("reports models that are not on the list, except models without any price", async () => {
    const rows = await compare({
      options: priced({ gone: { input: 1, output: 1 } }),
      costs: { m: { input: 1, output: 1 } },
      offered: ["gone", "unpriced", "gpt-4o"],
      isOnlyOffered: true,
    });
    expect(rows.map(({ model, state }) => [model, state])).toEqual([
      ["gone", "gone"],
      ["gpt-4o", "gone"],
    ]);
  });

  it("finds a dated name under the list's own", async () => {
    const rows = await compare({
      costs: { "gpt-4o": { input: 2, output: 10 } },
      offered: ["gpt-4o-2024-11-20"],
      isOnlyOffered: true,
    });
    expect(rows.map(({ model, state, is_offered }) => [model, state, is_offered])).toEqual([
      ["gpt-4o", "changed", true],
    ]);
  });

  it("with the catalogue itself finds no difference", async () => {
    const { pricing } = await sitePrices();
    const rows = await comparePrices({
      book: pricing.book(),
      nowMs: NOW_MS,
      document: cataloguePrices(NOW_MS),
      offered: new Set(),
      locked: new Set(),
      isOnlyOffered: false,
      yieldToOthers: NOBODY_WAITS,
    });
    expect(rows.length).toBeGreaterThan(200);
    expect(
      rows.filter(({ state }) => state !== "same").map(({ model, differences }) => [model, differences]),
    ).toEqual([]);
  });
});
