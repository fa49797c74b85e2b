import { expect, it } from "vitest";
import { formatDuration, formatShare, formatShareChange, formatSuccess } from "./format-measure";

it.each([
  [0, "0 ms"],
  [819.6, "820 ms"],
  [999.7, "1.00 s"],
  [1240, "1.24 s"],
  [12_340, "12.3 s"],
  [60_000, "1 min 0 s"],
  [125_400, "2 min 5 s"],
])("writes %d ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [0, "0.0%"],
  [0.0004, "<0.1%"],
  [0.125, "12.5%"],
  [0.09, "9.0%"],
  [1, "100.0%"],
])("writes the share %d as %s", (share, text) => {
  expect(formatShare(share)).toBe(text);
});

it.each([
  [0.125, "+12.5%"],
  [-0.03, "−3.0%"],
  [0, "0.0%"],
])("writes the change %d as %s", (share, text) => {
  expect(formatShareChange(share)).toBe(text);
});

it.each([
  [1, "100.0%"],
  [0.9999, "99.9%"],
  [0.5, "50.0%"],
])("writes the share of successes %d as %s", (share, text) => {
  expect(formatSuccess(share)).toBe(text);
});
