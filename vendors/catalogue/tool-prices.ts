import { VENDORS } from "../vendors";

const dearest = (): Readonly<Record<string, number>> => {
  const prices: Record<string, number> = {};
  for (const { toolPrices = {} } of VENDORS) {
    for (const [tool, usd] of Object.entries(toolPrices)) prices[tool] = Math.max(prices[tool] ?? 0, usd);
  }
  return prices;
};

/**
 * USD for a thousand calls of tools that vendors run, the dearest where vendors differ (docs/reference/prices.md says of
 * each which page it is from, and what it leaves out). Known to hold in November 2026.
 */
export const DEFAULT_TOOL_PRICES = dearest();
