import { describe, expect, it } from "vitest";
import { acceptPrices } from "./accept-prices";
import { lockedPrices, lockPrice } from "./locked-prices";
import { sitePrices } from "./testing/site-prices";

const MODEL_PRICE = JSON.stringify({
  kept: { input: 1, output: 1.1 },
  dated: [
    { input: 1, output: 1 },
    { from: "2027-01-01", input: 3, output: 3 },
  ],
});

describe("accepted prices", () => {
  it("stand in the option beside its present entries, and hold at once", async () => {
    const site = await sitePrices({ ModelPrice: MODEL_PRICE, PriceVersion: "7" });
    await acceptPrices(site, { m: { input: 2, output: 8 }, __proto__: undefined, once: { perCall: 0.1 } }, 7);
    const { kept, m, once } = JSON.parse(site.options.text("ModelPrice"));
    expect([kept, m, once]).toEqual([{ input: 1, output: 1.1 }, { input: 2, output: 8 }, { perCall: 0.1 }]);
    expect(site.options.priceVersion).toBe(8);
    expect(site.pricing.find("m", "default")?.tiers[0].weightTexts.output).toBe("8");
  });

  it("leave prices for a later day unchanged", async () => {
    const site = await sitePrices({ ModelPrice: MODEL_PRICE });
    await acceptPrices(site, { dated: { input: 2, output: 2 } }, 1);
    expect(JSON.parse(site.options.text("ModelPrice")).dated).toEqual([
      { input: 2, output: 2 },
      { from: "2027-01-01", input: 3, output: 3 },
    ]);
  });

  it.each([
    ["prices-invalid", { m: { input: -1, output: 1 } }],
    ["prices-invalid", { m: { input: 0, output: 1 } }],
    ["prices-invalid", { m: { input: 1, output: 0 } }],
    ["prices-invalid", { m: { perCall: 0 } }],
    ["prices-invalid", { m: { input: 1, output: 1, tiers: [{ aboveTokens: 5, input: 0, output: 1 }] } }],
    ["prices-invalid", { m: { input: "1", output: 1 } }],
    ["prices-invalid", { m: { input: 2 ** 53, output: 1 } }],
    ["prices-invalid", { m: [] }],
    [
      "prices-invalid",
      {
        m: [
          { input: 1, output: 1 },
          { from: "2027-01-01", input: 1, output: 1 },
        ],
      },
    ],
    ["prices-invalid", { m: { from: "2027-01-01", input: 1, output: 1 } }],
    ["prices-invalid", { "a\nb": { input: 1, output: 1 } }],
    ["price-absurd", { kept: { input: 1000, output: 1.1 } }],
    ["price-locked", { locked: { input: 1, output: 1 } }],
  ])("%s: none is written where one cannot be: %j", async (key, prices) => {
    const site = await sitePrices({ ModelPrice: MODEL_PRICE, LockedPrices: "other, locked" });
    const all = { fine: { input: 1, output: 1 }, ...prices };
    await expect(acceptPrices(site, all, 1)).rejects.toMatchObject({ key });
    expect(site.options.text("ModelPrice")).toBe(MODEL_PRICE);
  });

  it("that do not fit into the option are refused", async () => {
    const text = JSON.stringify({ ["x".repeat(999_900)]: { input: 1, output: 1 } });
    const site = await sitePrices({ ModelPrice: text });
    const accepted = acceptPrices(site, { m: { input: 1, output: 1 }, n: { input: 1, output: 1 } }, 1);
    await expect(accepted).rejects.toMatchObject({ key: "prices-too-many" });
  });

  it("are refused when prices changed since they were compared, also at the same moment", async () => {
    const site = await sitePrices({ ModelPrice: MODEL_PRICE });
    const accept = (model: string) => acceptPrices(site, { [model]: { input: 2, output: 2 } }, 1);
    const [first, second] = await Promise.allSettled([accept("a"), accept("b")]);
    expect(first?.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: { key: "prices-changed" } });
    expect(Object.keys(JSON.parse(site.options.text("ModelPrice")))).toEqual(["kept", "dated", "a"]);
  });
});

describe("locks", () => {
  it("are set and released one by one, also concurrently", async () => {
    const { options } = await sitePrices();
    await Promise.all([
      lockPrice(options, "a", true),
      lockPrice(options, "b", true),
      lockPrice(options, "a", true),
    ]);
    expect([...lockedPrices(options)].sort()).toEqual(["a", "b"]);
    await lockPrice(options, "a", false);
    expect([...lockedPrices(options)]).toEqual(["b"]);
  });
});
