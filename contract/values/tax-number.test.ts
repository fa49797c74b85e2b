import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import {
  CREDIT_CHARACTERS,
  cleanTaxNumber,
  creditCheckDigit,
  isCreditNumber,
  isTaxNumber,
} from "./tax-number";

/** Published numbers of large companies. */
const REAL = ["91440300708461136T", "914403001922038216", "91110000802100433B", "91330106673959654P"];

describe("a tax number", () => {
  it.each(REAL)("%s of a real company is valid", (number) => {
    expect([isCreditNumber(number), isTaxNumber(number)]).toEqual([true, true]);
  });

  it("is cleaned of blanks, hyphens and small letters", () => {
    expect(cleanTaxNumber(" 9144 0300-7084 6113 6t ")).toBe(REAL[0]);
  });

  it("is refused with any one wrong character, or two exchanged ones", () => {
    const random = createRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < 300; round += 1) {
      const pick = () => CREDIT_CHARACTERS[below(31)] ?? "0";
      const first = `91${Array.from({ length: 6 }, () => below(10)).join("")}${Array.from({ length: 9 }, pick).join("")}`;
      const number = first + creditCheckDigit(first);
      expect(isTaxNumber(number)).toBe(true);
      const at = below(18);
      const other = pick();
      const wrong = number.slice(0, at) + other + number.slice(at + 1);
      expect([wrong, isTaxNumber(wrong)]).toEqual([wrong, wrong === number]);
      const next = Math.min(at, 16);
      const turned = `${number.slice(0, next)}${number[next + 1]}${number[next]}${number.slice(next + 2)}`;
      expect([turned, isTaxNumber(turned)]).toEqual([turned, turned === number]);
    }
  });

  it("may be an old one of 15 or 20 characters", () => {
    expect(isTaxNumber("440300708461136")).toBe(true);
    expect(isTaxNumber("44030019700101123X01")).toBe(true);
    for (const wrong of [
      "",
      "9144030070846113",
      "44030070846113６",
      "<script>alert(1)</s",
      "9144030070846113 6T",
    ])
      expect([wrong, isTaxNumber(wrong)]).toEqual([wrong, false]);
  });
});
