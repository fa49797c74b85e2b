import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import { readPriceDocument } from "@tollgate/vendors/price-sources/read-price-document";
import { describe, expect, it } from "vitest";
import { createPriceList } from "./price-list";
import { NOW_MS, sitePrices } from "./testing/site-prices";

const setUp = async (
  offered: Readonly<Record<string, Readonly<Record<string, readonly UpstreamTarget[]>>>>,
  stored: Readonly<Record<string, string>> = {},
) => {
  const { pricing, yieldToOthers } = await sitePrices(stored);
  return (groups: readonly string[], usable: Readonly<Record<string, string>> = {}, id?: number) =>
    createPriceList(
      {
        book: pricing.book(),
        find: pricing.find,
        modelsOf: (group) => Object.keys(offered[group] ?? {}),
        candidates: (group, model) => offered[group]?.[model] ?? [],
        nowMs: NOW_MS,
        yieldToOthers,
      },
      { payer: { id, groups }, usable: new Map(Object.entries(usable)), auto: groups },
    );
};

const channel = entryOf({ id: 7, name: "secret channel", baseUrl: "https://secret.example" });
const MODEL_PRICE = JSON.stringify({
  m: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 },
  third: { input: 3, output: 10 },
  once: { perCall: 0.04 },
  sound: { input: 2, output: 8, audioInput: 32, audioOutput: 64 },
  secretly: { input: 1, output: 2 },
});

describe("the list of prices", () => {
  it("contains the models of the reader's groups, and nothing of other groups, channels, or of models without a price", async () => {
    const list = await setUp(
      {
        default: { m: [channel], unpriced: [channel] },
        vip: { m: [channel] },
        hidden: { secretly: [channel] },
      },
      { ModelPrice: MODEL_PRICE, GroupRatio: '{"default":1,"vip":0.5,"hidden":9}' },
    );
    const shown = await list(["default"], { default: "", vip: "Fast" });
    expect(shown.data.map(({ model_name, enable_groups }) => [model_name, enable_groups])).toEqual([
      ["m", ["default", "vip"]],
    ]);
    expect(shown.groups.map(({ name, ratio }) => [name, ratio])).toEqual([
      ["default", "1"],
      ["vip", "0.5"],
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/secret|hidden|unpriced/);
    expect(shown.data[0]?.price).toMatchObject({ input: 3, output: 15, cacheRead: 0.3 });
  });

  it("follows the name that the first channel gives a model", async () => {
    const mapped = entryOf({ id: 8, modelMapping: { alias: "m" } });
    const list = await setUp({ default: { alias: [mapped] } }, { ModelPrice: MODEL_PRICE });
    const { data } = await list(["default"], { default: "" });
    expect(data).toMatchObject([{ model_name: "alias", price: { input: 3 } }]);
  });

  it("shows the reader's own rules, and no other customer's", async () => {
    const rules = {
      "For seven": { user: 7, models: "m", factor: 0.5 },
      "For eight": { user: 8, models: "m", factor: 0.1 },
      Alias: { models: "only-alias", names: "requested", price: { input: 4, output: 12 } },
    };
    const list = await setUp(
      { default: { m: [channel], "only-alias": [entryOf({ modelMapping: { "only-alias": "nothing" } })] } },
      { ModelPrice: MODEL_PRICE, PriceRules: JSON.stringify(rules) },
    );
    const seven = await list(["default"], { default: "" }, 7);
    const [m, alias] = seven.data;
    expect(m?.own).toMatchObject([{ group: "default", price: { input: 1.5 }, rule: { name: "For seven" } }]);
    expect(alias).toMatchObject({ model_name: "only-alias", price: { input: 4, output: 12 } });
    expect(JSON.stringify(seven)).not.toContain("eight");
    const nobody = await list(["default"], { default: "" });
    expect(nobody.data[0]?.own).toBeUndefined();
  });

  it("is read back as the same prices by another gateway", async () => {
    const names = ["m", "once", "sound", "third", "gpt-4o", "claude-sonnet-4-5"];
    const list = await setUp(
      { default: Object.fromEntries(names.map((name) => [name, [channel]])) },
      { ModelPrice: MODEL_PRICE },
    );
    const answer = await list(["default"], { default: "" });
    const json = JSON.stringify({ success: true, message: "", ...answer });
    const read = await readPriceDocument(JSON.parse(json), async () => {});
    if (!read) throw new Error("not read");
    expect(read.refused).toEqual([]);
    expect(read.prices.map(({ model }) => model)).toEqual(names.toSorted());
    for (const { model, price } of read.prices) {
      const shown = answer.data.find(({ model_name }) => model_name === model)?.price;
      if (!shown || "perCall" in price || "perCall" in shown) {
        expect(price).toEqual(shown);
        continue;
      }
      expect(price.input).toBeCloseTo(shown.input, 9);
      expect(price.output).toBeCloseTo(shown.output ?? -1, 6);
      if (price.cacheRead !== undefined) expect(price.cacheRead).toBeCloseTo(shown.cacheRead ?? -1, 6);
      if (price.audioInput !== undefined) expect(price.audioInput).toBeCloseTo(shown.audioInput ?? -1, 6);
    }
  });

  it("shows the catalogue's facts of a model, and none of an unknown one", async () => {
    const list = await setUp({ default: { m: [channel], "gpt-4o": [channel] } }, { ModelPrice: MODEL_PRICE });
    const { data, vendors } = await list(["default"], { default: "" });
    const [known, own] = data;
    expect(known?.model_name).toBe("gpt-4o");
    expect(vendors.find(({ id }) => id === known?.vendor_id)?.name).toBe("OpenAI");
    expect(known?.context).toBeGreaterThan(100_000);
    expect(known?.traits).toContain("chat");
    expect([own?.vendor_id, own?.context, own?.traits]).toEqual([undefined, undefined, undefined]);
    expect(own?.supported_endpoint_types).toEqual([]);
  });

  it("treats names of inherited properties as model names", async () => {
    const prices = `{"__proto__":{"input":1,"output":1},"constructor":{"input":1,"output":1}}`;
    const offered = JSON.parse(`{"__proto__":0,"constructor":0}`) as Record<string, unknown>;
    const models = Object.keys(offered);
    const { pricing, yieldToOthers } = await sitePrices({ ModelPrice: prices });
    const list = await createPriceList(
      {
        book: pricing.book(),
        find: pricing.find,
        modelsOf: () => models,
        candidates: () => [channel],
        nowMs: NOW_MS,
        yieldToOthers,
      },
      { payer: { groups: ["__proto__"] }, usable: new Map([["__proto__", "odd"]]), auto: [] },
    );
    expect(list.data.map(({ model_name }) => model_name)).toEqual(["__proto__", "constructor"]);
    expect(JSON.stringify(list.usable_group)).toBe('{"__proto__":"odd"}');
  });
});
