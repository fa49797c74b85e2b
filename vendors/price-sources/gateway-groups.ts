import type { ModelPriceEntry, TokenPrices } from "@tollgate/contract/management/model-price";
import {
  type Decimal,
  formatDecimal,
  multiply,
  parseDecimal,
  simplify,
} from "@tollgate/contract/values/decimal";
import { isObject } from "@tollgate/contract/values/is-object";
import { TOKEN_PRICES } from "@tollgate/contract/values/token-prices";

const MAX_NAME = 100;
const MAX_GROUPS = 200;

/**
 * Ratios of the groups of a new-api gateway, from `group_ratio` in its answer of /api/pricing.
 * @returns in the gateway's order; empty when it names none.
 */
export const readGatewayGroups = (document: unknown): { name: string; ratio: Decimal }[] => {
  if (!isObject(document) || !isObject(document.group_ratio)) return [];
  const groups: { name: string; ratio: Decimal }[] = [];
  for (const [name, value] of Object.entries(document.group_ratio)) {
    const ratio = typeof value === "number" ? parseDecimal(value) : undefined;
    if (ratio !== undefined && name !== "" && name.length <= MAX_NAME) groups.push({ name, ratio });
    if (groups.length >= MAX_GROUPS) break;
  }
  return groups;
};

const times = (usd: number, ratio: Decimal): number => {
  const price = parseDecimal(usd);
  return price === undefined ? usd : Number(formatDecimal(simplify(multiply(price, ratio))));
};

const classesTimes = <Prices extends Omit<TokenPrices, "from" | "tiers">>(
  prices: Prices,
  ratio: Decimal,
): Prices => {
  const multiplied = { ...prices };
  for (const each of TOKEN_PRICES) {
    const usd = prices[each];
    if (usd !== undefined) multiplied[each] = times(usd, ratio);
  }
  return multiplied;
};

/** A price for a group with a given ratio. */
export const priceTimes = (price: ModelPriceEntry, ratio: Decimal): ModelPriceEntry => {
  if ("perCall" in price) return { ...price, perCall: times(price.perCall, ratio) };
  const tiers = price.tiers?.map((tier) => classesTimes(tier, ratio));
  return { ...classesTimes(price, ratio), ...(tiers ? { tiers } : {}) };
};
