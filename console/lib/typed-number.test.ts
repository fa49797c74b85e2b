import { expect, it } from "vitest";
import { readTypedNumber } from "./typed-number";

it.each([
  ["12.5", 12.5],
  [" 12,5 ", 12.5],
  ["0,125", 0.125],
  ["-3,25", -3.25],
  ["1000", 1000],
  ["1000,5", 1000.5],
  ["12,50", 12.5],
  ["1,000", Number.NaN],
  ["-12,500", Number.NaN],
  ["1,234,567", Number.NaN],
  ["1,000.5", Number.NaN],
  ["", Number.NaN],
  ["  ", Number.NaN],
  ["a", Number.NaN],
])("reads %j as %d", (typed, number) => {
  expect(readTypedNumber(typed)).toBe(number);
});
