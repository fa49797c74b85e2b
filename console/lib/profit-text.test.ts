// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { formatCost, formatProfit, formatRevenue } from "./profit-text";

/** Sums are sent only up to this bound. */
const MOST = 9_007_199_254_740_991;

const sum = (costedRevenue: number, cost: number) => ({
  requests: 2,
  revenue: costedRevenue,
  costedRequests: 2,
  costedRevenue,
  cost,
});

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("display_in_currency", "true");
  localStorage.setItem("quota_per_unit", "500000");
});

it("marks a sum as a lower bound when it reaches the largest reported number", () => {
  expect(formatRevenue(500_000)).toBe("$1.00");
  expect(formatRevenue(MOST)).toBe("≥ $18014398509.48");
  expect(formatCost(500_000_000)).toBe("$1.00");
  expect(formatCost(MOST)).toBe("≥ $18014398.51");
});

it("bounds the profit from the side of the known sum", () => {
  expect(formatProfit(sum(1_500_000, 500_000_000))).toBe("$2.00");
  expect(formatProfit(sum(500_000, MOST))).toBe("≤ -$18014397.51");
  expect(formatProfit(sum(MOST, 500_000_000))).toBe("≥ $18014398508.48");
  expect(formatProfit(sum(MOST, MOST))).toBe("–");
});
