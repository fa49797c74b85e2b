import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { formatDecimal, multiply, parseDecimal } from "../values/decimal";
import { formatMinor, parseMinor } from "./currencies";
import { minorDigits } from "./currency-codes";
import {
  isQuoteInLine,
  type KeptQuote,
  type PaymentOffers,
  type PaymentTerms,
  parsePaymentOffers,
  quoteFor,
  quoteOfPlan,
} from "./payment-offers";

const decimal = (text: string | number) => {
  const read = parseDecimal(text);
  if (!read) throw new Error(`${text} is no decimal`);
  return read;
};

const offersOf = (value: object): PaymentOffers => {
  const read = parsePaymentOffers(JSON.stringify(value));
  if ("fault" in read) throw new Error(read.fault);
  return read;
};

const terms = (more: Partial<PaymentTerms> = {}): PaymentTerms => ({
  currency: "CNY",
  unitPrice: decimal("7.3"),
  minimum: decimal("1"),
  quotaPerUnit: decimal(500_000),
  offers: offersOf({}),
  ...more,
});

describe("a quote", () => {
  it("is the price of the quota, with a package's bonus and the lowest factors", () => {
    const offers = offersOf({
      packages: [{ usd: 100, bonus: "5.5" }],
      discounts: [
        { from: 100, factor: 0.9 },
        { from: 10, factor: "0.95" },
      ],
      groups: { vip: 0.8, svip: "0.5" },
    });
    expect(quoteFor("100", ["default", "vip", "svip"], terms({ offers }))).toEqual({
      usd: "100",
      amount: 32_850,
      currency: "CNY",
      quota: 52_750_000,
      bonus: 2_750_000,
      factor: "0.45",
    });
    expect(quoteFor("10.00", [], terms({ offers }))).toMatchObject({ usd: "10", amount: 6935, bonus: 0 });
    expect(quoteFor("9.99", [], terms({ offers }))).toMatchObject({ amount: 7293, factor: "1" });
  });

  it("has no minor unit where the currency has none", () => {
    expect(quoteFor("1.5", [], terms({ currency: "JPY", unitPrice: decimal("150.1") }))).toMatchObject({
      amount: 226,
    });
  });

  it.each([
    ["", "amount-invalid"],
    ["0", "amount-invalid"],
    ["-1", "amount-invalid"],
    ["1e400", "amount-invalid"],
    ["NaN", "amount-invalid"],
    ["1.0000001", "amount-invalid"],
    ["0.99", "below-minimum"],
    ["999999999", "amount-too-large"],
  ])("of %j is refused as %s", (usd, fault) => {
    expect(quoteFor(usd, [], terms())).toEqual({ fault });
  });

  it("gives nothing for nothing, and costs less than a minor unit too much", () => {
    const random = createRandom(7);
    for (let count = 0; count < 2000; count += 1) {
      const usd = (random() * 10 ** Math.floor(random() * 5)).toFixed(Math.floor(random() * 6));
      const unit = (random() * 10 ** Math.floor(random() * 4) + 0.000001).toFixed(6);
      const per = 1 + Math.floor(random() * 1e6);
      const currency = random() < 0.5 ? "CNY" : "JPY";
      const quote = quoteFor(
        usd,
        [],
        terms({ currency, unitPrice: decimal(unit), quotaPerUnit: decimal(per), minimum: decimal(0) }),
      );
      if ("fault" in quote) continue;
      expect(quote.quota).toBeGreaterThan(0);
      expect(quote.amount).toBeGreaterThan(0);
      // All in millionths of a minor unit per unit: exact.
      const exact =
        BigInt(quote.quota) * BigInt(unit.replace(".", "")) * 10n ** BigInt(minorDigits(currency));
      const asked = BigInt(quote.amount) * BigInt(per) * 1_000_000n;
      expect(asked >= exact && asked - exact < BigInt(per) * 1_000_000n).toBe(true);
    }
  });
});

describe("a quote that an order keeps", () => {
  const keep = (quote: ReturnType<typeof quoteFor>, { unitPrice, quotaPerUnit }: PaymentTerms): KeptQuote => {
    if ("fault" in quote) throw new Error(quote.fault);
    return { ...quote, unitPrice: formatDecimal(unitPrice), quotaPerUnit: formatDecimal(quotaPerUnit) };
  };

  it.each(seeds(60))(
    "is in line with its own terms, and with those of now within a factor of two (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const number = (most: number) => decimal((random() * most + 0.01).toFixed(2));
      const then = terms({
        minimum: decimal(0),
        unitPrice: number(20),
        quotaPerUnit: number(1_000_000),
        offers: offersOf({ packages: [{ usd: 10, bonus: 3 }], discounts: [{ from: 5, factor: 0.7 }] }),
      });
      const price = Math.floor(random() * 100_000) + 1;
      for (const quote of [quoteFor("10", [], then), quoteFor("0.5", [], then), quoteOfPlan(price, then)]) {
        if ("fault" in quote) continue;
        const kept = keep(quote, then);
        expect(isQuoteInLine(kept, then)).toBe(true);
        const times = (factor: string) => multiply(then.unitPrice, decimal(factor));
        expect(isQuoteInLine(kept, { ...then, unitPrice: times("2") })).toBe(true);
        expect(isQuoteInLine(kept, { ...then, unitPrice: times("2.0001") })).toBe(false);
        // Cheaper than it was quoted: its buyer has agreed to the price.
        expect(isQuoteInLine(kept, { ...then, unitPrice: times("0.0001") })).toBe(true);
        const less = { ...then, quotaPerUnit: multiply(then.quotaPerUnit, decimal("0.4999")) };
        expect(isQuoteInLine(kept, less)).toBe(false);
        expect(isQuoteInLine(kept, { ...less, currency: "JPY" })).toBe(false);
        expect(isQuoteInLine(kept, { ...then, currency: "JPY", unitPrice: times("9") })).toBe(true);
        expect(isQuoteInLine({ ...kept, amount: kept.amount + 1 }, then)).toBe(false);
      }
    },
  );

  it("is believed where an older version kept no terms", () => {
    const quote = quoteFor("10", [], terms());
    if ("fault" in quote) throw new Error(quote.fault);
    expect(isQuoteInLine(quote, terms({ unitPrice: decimal(9999) }))).toBe(true);
  });
});

describe("a payment offer", () => {
  it.each([
    ["{", "JSON"],
    ["[]", "JSON"],
    ['{"packages":[{"usd":0}]}', "packages.0.usd"],
    ['{"packages":[{"usd":1},{"usd":"x"}]}', "packages.1.usd"],
    ['{"packages":[{"usd":1,"bonus":-1}]}', "packages.0.bonus"],
    ['{"packages":[{"usd":1,"price":1}]}', "packages.0.price"],
    ['{"discounts":[{"from":1}]}', "discounts.0.factor"],
    ['{"discounts":[{"from":1,"factor":0}]}', "discounts.0.factor"],
    ['{"groups":{"vip":0}}', "groups.vip"],
    ['{"other":1}', "other"],
  ])("as %s is refused at %s", (text, fault) => {
    expect(parsePaymentOffers(text)).toEqual({ fault });
  });
});

describe("an amount", () => {
  it.each([
    [1234, "CNY", "12.34"],
    [5, "CNY", "0.05"],
    [1234, "JPY", "1234"],
  ])("of %i %s is written %s, and read again", (amount, currency, text) => {
    expect(formatMinor(amount, currency)).toBe(text);
    expect(parseMinor(text, currency)).toBe(amount);
  });

  it.each(["", "-1", "1e3", "0x10", " 1", "1.234", "1,00", "1.", ".5", "99999999999999999", "١"])(
    "is none in %j",
    (text) => {
      expect(parseMinor(text, "CNY")).toBeUndefined();
    },
  );
  it("may have fewer digits, or zeros", () => {
    expect([parseMinor("1", "CNY"), parseMinor("1.5", "CNY"), parseMinor("1.500", "CNY")]).toEqual([
      100, 150, 150,
    ]);
  });
});
