import { expect, it } from "vitest";
import { readTypedNumber, readWholeNumber } from "./typed-number";

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

it.each([
  ["500000", 500_000],
  [" 12 ", 12],
  ["-7", -7],
  ["1e5", 100_000],
  ["1.5E3", 1500],
  ["2000.9", 2000],
  ["-0.5", 0],
  [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
  [`${Number.MAX_SAFE_INTEGER}0`, Number.NaN],
  ["1e16", Number.NaN],
  ["1e400", Number.NaN],
  ["1,000", Number.NaN],
  ["12 apples", Number.NaN],
  ["0x10", Number.NaN],
  ["1e", Number.NaN],
  ["Infinity", Number.NaN],
  ["NaN", Number.NaN],
  ["", Number.NaN],
])("reads %j as the whole number %d", (typed, number) => {
  expect(readWholeNumber(typed)).toBe(number);
});
