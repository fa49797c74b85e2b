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

/** Prices of extras beyond tokens, from the options ServiceTierRatio and ToolPrice. */
export interface ExtraPrices {
  /** Each tier's multiple of the model's price. */
  tierRatios: RatioTable;
  /** USD for a thousand calls. */
  toolPrices: RatioTable;
  /** Quota for a dollar, for the group. */
  perUsd: Decimal;
  perUsdText: string;
}

/** The extras' part of one charge. */
export interface ExtraBill {
  /** Multiplier of the tokens' price. */
  factor: Decimal;
  /** Quota for calls of tools. */
  quota: Decimal;
  /** Both as a receipt's arithmetic writes them: " × 2" and " + 3 × 10 ÷ 1000 × 500000 × 1". */
  factorText: string;
  callsText: string;
  /** Its text in a log line. */
  explanation: LogPhrase[];
}

const THOUSANDTH: Decimal = { digits: 1n, scale: 3 };

/** Assumed calls of a tool without a limit in the request, for the hold. */
const USUAL_CALLS = 10;

/** A tier's multiple of the price; undefined for one without a price. */
export const tierRatioOf = ({ tierRatios }: ExtraPrices, { name }: AskedTier): Decimal | undefined =>
  name === undefined ? undefined : tierRatios.get(name);

/** USD for a thousand calls; undefined for a tool that has no price. */
export const toolPriceOf = ({ toolPrices }: ExtraPrices, { name }: AskedTool): Decimal | undefined =>
  toolPrices.get(name);

const larger = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? b : a);

const perCall = (prices: ExtraPrices, usd: Decimal): Decimal =>
  multiply(multiply(usd, THOUSANDTH), prices.perUsd);

/** Maximum multiplier of the price. */
export const worstFactor = (prices: ExtraPrices, { tiers }: Extras): Decimal =>
  tiers.reduce((factor, tier) => multiply(factor, larger(ONE, tierRatioOf(prices, tier) ?? ONE)), ONE);

/** Maximum cost of tool calls: as many as the request allows, ten of each without a limit. */
export const worstCalls = (prices: ExtraPrices, { tools }: Extras): Decimal =>
  tools.reduce((quota, tool) => {
    const each = perCall(prices, toolPriceOf(prices, tool) ?? ZERO);
    return add(quota, multiplyInteger(each, Math.min(tool.most ?? USUAL_CALLS, MAX_CALLS)));
  }, ZERO);

/**
 * A tier's price by the upstream's report. Bill a cheaper tier only if the upstream confirms it, because upstreams that
 * do not know the tier ignore the wish; a dearer one costs its price unless the upstream reports that it served the
 * usual one.
 */
const servedRatio = (prices: ExtraPrices, tier: AskedTier, { servedTiers }: Usage): Decimal => {
  const asked = tierRatioOf(prices, tier) ?? ONE;
  const served = servedTiers?.[tier.field];
  if (served === tier.name) return asked;
  return served !== undefined && isStandardTier(served) ? ONE : larger(ONE, asked);
};

/** Several tools may be reported as one: then the dearest counts. */
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
 * The charge for the extras of a request.
 * @param extras the requested extras.
 * @param usage the upstream's report about them.
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
