import { VENDORS } from "../vendors";

const dearest = (): Readonly<Record<string, number>> => {
  const prices: Record<string, number> = {};
  for (const { toolPrices = {} } of VENDORS) {
    for (const [tool, usd] of Object.entries(toolPrices)) prices[tool] = Math.max(prices[tool] ?? 0, usd);
  }
  return prices;
};

/**
 * USD for a thousand calls of tools that vendors run, the dearest price of all vendors (docs/reference/prices.md names
 * each price's page and the omissions). Confirmed in November 2026.
 */
export const DEFAULT_TOOL_PRICES = dearest();
