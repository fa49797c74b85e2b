import { type AskedTier, type AskedTool, type Extras, isStandardTier } from "@tollgate/contract/relay/extras";
import { callsOf, MAX_CALLS, type Usage } from "@tollgate/contract/relay/usage";
import {
  add,
  compare,
  type Decimal,
  formatDecimal,
  multiply,
  multiplyInteger,
  ONE,
  ZERO,
} from "@tollgate/contract/values/decimal";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { RatioTable } from "./ratio-table";

/** What is charged besides the price of the tokens, by the options ServiceTierRatio and ToolPrice. */
export interface ExtraPrices {
  /** How many times the model's price each tier costs. */
  tierRatios: RatioTable;
  /** USD for a thousand calls. */
  toolPrices: RatioTable;
  /** Quota for a dollar, for the group. */
  perUsd: Decimal;
  perUsdText: string;
}

/** What extras add to one charge. */
export interface ExtraBill {
  /** What the price of the tokens is multiplied by. */
  factor: Decimal;
  /** Quota for calls of tools. */
  quota: Decimal;
  /** Both as a receipt's arithmetic writes them: " × 2" and " + 3 × 10 ÷ 1000 × 500000 × 1". */
  factorText: string;
  callsText: string;
  /** What a log line says of it. */
  explanation: LogPhrase[];
}

const THOUSANDTH: Decimal = { digits: 1n, scale: 3 };

/** Calls of a tool that the request sets no limit for: what a hold counts with. */
const USUAL_CALLS = 10;

/** How many times the price a tier costs; undefined for one that has no price. */
export const tierRatioOf = ({ tierRatios }: ExtraPrices, { name }: AskedTier): Decimal | undefined =>
  name === undefined ? undefined : tierRatios.get(name);

/** USD for a thousand calls; undefined for a tool that has no price. */
export const toolPriceOf = ({ toolPrices }: ExtraPrices, { name }: AskedTool): Decimal | undefined =>
  toolPrices.get(name);

const larger = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a);

const perCall = (prices: ExtraPrices, usd: Decimal): Decimal =>
  multiply(multiply(usd, THOUSANDTH), prices.perUsd);

/** What the price is multiplied by at worst. */
export const worstFactor = (prices: ExtraPrices, { tiers }: Extras): Decimal =>
  tiers.reduce((factor, tier) => multiply(factor, larger(ONE, tierRatioOf(prices, tier) ?? ONE)), ONE);

/** What calls of tools may cost at worst: as many as the request allows, ten of each where it says nothing. */
export const worstCalls = (prices: ExtraPrices, { tools }: Extras): Decimal =>
  tools.reduce((quota, tool) => {
    const each = perCall(prices, toolPriceOf(prices, tool) ?? ZERO);
    return add(quota, multiplyInteger(each, Math.min(tool.most ?? USUAL_CALLS, MAX_CALLS)));
  }, ZERO);

/**
 * What a tier costs by what became of it. A cheaper tier must be told to have been served, because upstreams that do not
 * know it ignore the wish; a dearer one costs its price unless the upstream says that it served the usual one.
 */
const servedRatio = (prices: ExtraPrices, tier: AskedTier, { servedTiers }: Usage): Decimal => {
  const asked = tierRatioOf(prices, tier) ?? ONE;
  const served = servedTiers?.[tier.field];
  if (served === tier.name) return asked;
  return served !== undefined && isStandardTier(served) ? ONE : larger(ONE, asked);
};

/** Several tools may be told as one: then the dearest counts. */
const dearestOf = (prices: ExtraPrices, tools: readonly AskedTool[]): AskedTool[] => {
  const dearest = new Map<string, AskedTool>();
  for (const tool of tools) {
    const known = dearest.get(tool.counts);
    const price = toolPriceOf(prices, tool) ?? ZERO;
    if (!known || compare(toolPriceOf(prices, known) ?? ZERO, price) < 0) dearest.set(tool.counts, tool);
  }
  return [...dearest.values()];
};

/**
 * What the extras of a request add to its charge.
 * @param extras what the upstream was asked for.
 * @param usage what it told of it.
 */
export const billExtras = (prices: ExtraPrices, extras: Extras, usage: Usage): ExtraBill => {
  const bill: ExtraBill = { factor: ONE, quota: ZERO, factorText: "", callsText: "", explanation: [] };
  for (const tier of extras.tiers) {
    const ratio = servedRatio(prices, tier, usage);
    if (compare(ratio, ONE) === 0) continue;
    const text = formatDecimal(ratio);
    bill.factor = multiply(bill.factor, ratio);
    bill.factorText += ` × ${text}`;
    bill.explanation.push({ code: "service-tier", tier: tier.name ?? "", ratio: text });
  }
  for (const tool of dearestOf(prices, extras.tools)) {
    const usd = toolPriceOf(prices, tool) ?? ZERO;
    const calls = tool.isCounted ? callsOf(usage, tool.counts) : 1;
    if (calls === 0 || compare(usd, ZERO) === 0) continue;
    bill.quota = add(bill.quota, multiplyInteger(perCall(prices, usd), calls));
    bill.callsText += ` + ${calls} × ${formatDecimal(usd)} ÷ 1000 × ${prices.perUsdText}`;
    bill.explanation.push({ code: "tool-calls", tool: tool.name ?? "", calls, usd: formatDecimal(usd) });
  }
  return bill;
};
