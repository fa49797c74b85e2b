import { parseModelPrices } from "@tollgate/contract/management/model-price";
import { describe, expect, it } from "vitest";
import { VENDORS } from "../vendors";
import { findModel, PRICE_SHEETS } from "./catalogue";
import { CNY_PER_USD, listModels, usdPricesOf } from "./list-prices";

const TODAY = "2026-11-29";
const DAY = /^20\d{2}-\d{2}-\d{2}$/;
const models = listModels();

describe("the catalogue of list prices (M6)", () => {
  it("names every model once, whichever of its names", () => {
    const names = models.flatMap(({ name, facts }) => [name, ...(facts.aliases ?? [])]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const name of names) expect(findModel(name)).toBeDefined();
  });

  it("calls each maker of models by one name", () => {
    const names = new Map(PRICE_SHEETS.map(({ owner }) => [owner.id, owner.name]));
    for (const { owner } of PRICE_SHEETS) expect(owner).toEqual({ id: owner.id, name: names.get(owner.id) });
  });

  it.each(models)("$name: is dated, sourced and a price that the option ModelPrice would take", (entry) => {
    const { name, facts, sheet } = entry;
    const asOf = facts.asOf ?? sheet.asOf;
    expect(asOf).toMatch(DAY);
    expect(asOf <= TODAY).toBe(true);
    expect(new URL(facts.source ?? sheet.source).protocol).toBe("https:");
    expect(["vendor page", "secondary", "inferred"]).toContain(facts.confidence ?? sheet.confidence);
    if (facts.outputLimit !== undefined && facts.context !== undefined)
      expect(facts.outputLimit).toBeLessThanOrEqual(facts.context);
    const entries = usdPricesOf(entry);
    expect(entries.length > 0).toBe(facts.price !== "unknown");
    if (entries.length > 0) {
      expect(parseModelPrices(JSON.stringify({ [name]: entries }))).not.toHaveProperty("fault");
    }
    for (const [index, each] of entries.entries()) {
      // Without a date first: the option's default has one ratio, which is the first.
      expect(each.from === undefined).toBe(index === 0);
      for (const prices of [each, ...(each.tiers ?? [])]) {
        // What is written has a price, or nothing is written.
        expect(prices.output === undefined).toBe(facts.writesNothing === true);
        if (prices.input === 0) expect(prices.output ?? 0).toBe(0);
        // No vendor gives a discount for reading again.
        expect(prices.cacheRead ?? 0).toBeLessThanOrEqual(prices.input);
      }
      for (const tier of each.tiers ?? []) {
        expect(tier.input).toBeGreaterThanOrEqual(each.input);
        expect(tier.output ?? 0).toBeGreaterThanOrEqual(each.output ?? 0);
      }
    }
  });

  it("turns CNY into USD at one stated rate", () => {
    expect(CNY_PER_USD).toBe(7);
    const flash = findModel("deepseek-flash");
    expect(flash && usdPricesOf(flash)).toEqual([{ input: 0.285714, output: 1.142857, cacheRead: 0.005714 }]);
  });

  it("is of this year for every vendor that is still one", () => {
    const old = PRICE_SHEETS.filter(({ asOf }) => asOf < "2026");
    expect(new Set(old.map(({ source }) => source))).toEqual(
      new Set(["https://github.com/songquanpeng/one-api"]),
    );
  });
});

describe("the channel form's models (M6)", () => {
  const presets = VENDORS.flatMap(({ name, models: names }) =>
    names.map((model) => ({ vendor: name, model })),
  );

  it.each(presets)("$vendor: $model has a price, or is said to have none", ({ model }) => {
    expect(findModel(model)).toBeDefined();
  });

  it("are not of 2023 where the vendor has newer ones", () => {
    const dated = VENDORS.filter(({ models: names }) => {
      return names.length > 0 && names.every((name) => (findModel(name)?.sheet.asOf ?? "") < "2026");
    });
    // PaLM and 360 Zhinao: no newer price list could be found.
    expect(dated.map(({ type }) => type)).toEqual([11, 19]);
  });
});
