import {
  add,
  type Decimal,
  multiplyInteger,
  parseDecimal,
  roundUp,
  ZERO,
} from "@tollgate/contract/values/decimal";
import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { priceAnswer, priceHold, sumAnswer } from "./bill";
import { findPrice } from "./price";
import { ceilShare, wholeTermsOf } from "./whole-terms";

const random = createRandom(20_261);
const pick = <T>(values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

const price = (): Decimal =>
  parseDecimal(
    pick([
      "0",
      "1",
      "0.1",
      "1.1",
      "0.000001",
      "15",
      "7.77",
      "33333333.333333333",
      `${Math.floor(random() * 1e15)}e-12`,
    ]),
  ) ?? ZERO;
const count = (): number =>
  pick([
    0,
    1,
    13,
    1000,
    Math.floor(random() * 1e6),
    Math.floor(random() * 1e12),
    Math.floor(random() * 2 ** 53),
    2 ** 53 - 1,
  ]);

describe("whole terms", () => {
  it("come to the same as decimals do, wherever they say anything", () => {
    let answered = 0;
    for (let i = 0; i < 20_000; i += 1) {
      const [input, output] = [price(), price()];
      const [read, written] = [count(), count()];
      const terms = wholeTermsOf([input, output]);
      if (!terms) continue;
      const sum = read * (terms.weights[0] ?? 0) + written * (terms.weights[1] ?? 0);
      if (sum >= Number.MAX_SAFE_INTEGER) continue;
      const exact = add(multiplyInteger(input, read), multiplyInteger(output, written));
      if (ceilShare(sum, terms.denominator) !== roundUp(exact))
        expect([input, output, read, written, ceilShare(sum, terms.denominator)]).toEqual(roundUp(exact));
      answered += 1;
    }
    expect(answered).toBeGreaterThan(5000);
  });

  it("are nothing where a number does not hold them", () => {
    expect(wholeTermsOf([{ digits: 1n, scale: 16 }, ZERO])).toBeUndefined();
    expect(wholeTermsOf([{ digits: 2n ** 53n, scale: 0 }, ZERO])).toBeUndefined();
  });
});

describe("charges and holds in plain numbers", () => {
  it("equal those of exact decimals, also near the largest safe number", () => {
    for (let i = 0; i < 3000; i += 1) {
      const found = findPrice(
        {
          modelRatios: new Map([["m", price()]]),
          completionRatios: new Map([["m", price()]]),
          groupRatios: new Map([["default", price()]]),
        },
        "m",
        "default",
        0,
      );
      if (!found) throw new Error("no price");
      const [read, written] = [count(), count()];
      const least = found.isFree || read + written === 0 ? 0 : 1;
      const { quota } = priceAnswer(found, read, written);
      expect(quota).toBe(Math.max(least, roundUp(sumAnswer(found, read, written).sum)));
      const { input, output } = found.tiers[0].perToken;
      const held = roundUp(add(multiplyInteger(input, read), multiplyInteger(output, written)));
      expect(priceHold(found, read, written)).toBe(held);
      expect(priceHold(found, read, written, { factor: { digits: 1n, scale: 0 } })).toBe(held);
      expect(priceHold(found, read, written, { hasSound: true })).toBe(held);
    }
  });
});
