import * as z from "zod/mini";
import { lossSchema } from "../management/buying-price";
import { endpoint } from "../resource/endpoint";
import { FORMAT_PARAMETER } from "../resource/file-parameters";
import { listOf, mapped, plain } from "../resource/resource";
import { tolerant } from "../resource/tolerant";
import { COST_UNITS } from "../values/quota";
import { USAGE_PARAMETERS } from "./usage";

/*
 * Charges and upstream costs over a range of time. For administrators; not part of the one-api contract. Revenue is
 * charged quota, whether it was paid for or given away (docs/guides/profit.md).
 */

export const PROFIT_GROUPINGS = [
  "none",
  "day",
  "channel",
  "model",
  "user",
  "channel_model",
  "day_model",
] as const;
export type ProfitGrouping = (typeof PROFIT_GROUPINGS)[number];

/** Sort orders of rows; unknown values come last. */
export const PROFIT_ORDERS = ["revenue", "cost", "profit", "margin", "unknown", "requests", "name"] as const;
export type ProfitOrder = (typeof PROFIT_ORDERS)[number];

/** How many rows a caller may ask for. */
export const MAX_PROFIT_ROWS = 1000;

export interface ProfitSum {
  requests: number;
  /** Quota. */
  revenue: number;
  /** Requests whose cost is known: their number, charge, and cost in thousandths of quota. */
  costedRequests: number;
  costedRevenue: number;
  cost: number;
}

export interface ProfitRow extends ProfitSum {
  /** The id of the channel or user, the model's name, or the day as YYYY-MM-DD of the caller's clock; "" for all together. */
  key: string;
  name: string;
  /** Of `channel_model` and `day_model`. */
  model?: string | undefined;
}

/** A whole report: the rows and the others add up to the total. */
export interface ProfitReport {
  total: ProfitSum;
  rows: ProfitRow[];
  /** Those that are not told apart, and how many they are. */
  others?: (ProfitSum & { count: number }) | undefined;
}

/** Thousandths of quota; of known costs alone. */
export const profitOf = ({ costedRevenue, cost }: ProfitSum): number => costedRevenue * COST_UNITS - cost;

/** Whether any cost is known: attempts that ended have a cost, and are no requests. */
export const hasKnownCost = ({ costedRequests, cost }: ProfitSum): boolean => costedRequests > 0 || cost > 0;

/** Profit as a part of the revenue whose cost is known; undefined for no revenue. May be far below 0. */
export const marginOf = (sum: ProfitSum): number | undefined =>
  sum.costedRevenue > 0 ? profitOf(sum) / (sum.costedRevenue * COST_UNITS) : undefined;

/** The part of the revenue whose cost is not known; undefined where nothing was charged. */
export const unknownShareOf = ({ revenue, costedRevenue }: ProfitSum): number | undefined =>
  revenue > 0 ? Math.min(1, Math.max(0, (revenue - costedRevenue) / revenue)) : undefined;

const sumWire = {
  requests: z.int(),
  /** Quota that was charged. */
  revenue: z.int(),
  /** Upstream cost, and profit, in thousandths of quota, of requests whose cost is known. */
  cost_thousandths: z.int(),
  profit_thousandths: z.int(),
  /** Profit as a part of the revenue whose cost is known; absent for no revenue. */
  margin: z.optional(z.number()),
  /** Requests whose cost is unknown, and their revenue. */
  unknown_requests: z.int(),
  unknown_revenue: z.int(),
};

const sumWireSchema = z.object(sumWire);
export const profitRowWireSchema = z.object({
  key: z.string(),
  name: z.string(),
  model: z.optional(z.string()),
  ...sumWire,
});
export type ProfitRowWire = z.infer<typeof profitRowWireSchema>;

export const profitWireSchema = z.object({
  total: sumWireSchema,
  rows: z.array(profitRowWireSchema),
  others: z.optional(z.object({ count: z.int(), ...sumWire })),
});
export type ProfitWire = z.infer<typeof profitWireSchema>;

const encodeSum = (sum: ProfitSum): z.infer<typeof sumWireSchema> => {
  const margin = marginOf(sum);
  return {
    requests: sum.requests,
    revenue: sum.revenue,
    cost_thousandths: sum.cost,
    profit_thousandths: profitOf(sum),
    ...(margin === undefined ? {} : { margin }),
    unknown_requests: sum.requests - sum.costedRequests,
    unknown_revenue: sum.revenue - sum.costedRevenue,
  };
};

export const encodeProfitRow = ({ key, name, model, ...sum }: ProfitRow): ProfitRowWire => ({
  key,
  name,
  ...(model === undefined ? {} : { model }),
  ...encodeSum(sum),
});

export const encodeProfit = ({ total, rows, others }: ProfitReport): ProfitWire => ({
  total: encodeSum(total),
  rows: rows.map(encodeProfitRow),
  ...(others ? { others: { count: others.count, ...encodeSum(others) } } : {}),
});

const decodeSum = (wire: z.infer<typeof sumWireSchema>): ProfitSum => ({
  requests: wire.requests,
  revenue: wire.revenue,
  costedRequests: wire.requests - wire.unknown_requests,
  costedRevenue: wire.revenue - wire.unknown_revenue,
  cost: wire.cost_thousandths,
});

const decodeProfit = ({ total, rows, others }: ProfitWire): ProfitReport => ({
  total: decodeSum(total),
  rows: rows.map(({ key, name, model, ...sum }) => ({
    key,
    name,
    ...(model === undefined ? {} : { model }),
    ...decodeSum(sum),
  })),
  ...(others ? { others: { count: others.count, ...decodeSum(others) } } : {}),
});

/** A report, as answers have it. */
export const profitReport = mapped(tolerant(profitWireSchema), { encode: encodeProfit, read: decodeProfit });

/** How many rows a report tells apart where nothing is said. */
export const USUAL_PROFIT_ROWS = 100;

export const PROFIT_PARAMETERS = {
  start_timestamp: USAGE_PARAMETERS.start_timestamp,
  end_timestamp: USAGE_PARAMETERS.end_timestamp,
  by: "The grouping: `none` (default), `day`, `channel`, `model`, `user`, `channel_model` or `day_model`.",
  offset_minutes: USAGE_PARAMETERS.offset_minutes,
  order:
    "The column to sort by: `revenue` (default), `cost`, `profit`, `margin`, `unknown`, `requests` or `name`; unknown values come last.",
  direction: "`desc` (default) or `asc`.",
  channel: "Only of the channel with this id.",
  model_name: USAGE_PARAMETERS.model_name,
  username: "Only of this user.",
  token_name: USAGE_PARAMETERS.token_name,
} as const;

export const getProfit = endpoint({
  method: "GET",
  path: "/api/profit",
  guard: "admin",
  area: "profit",
  summary: "Revenue and upstream cost, by day, channel, model or user",
  query: {
    ...PROFIT_PARAMETERS,
    limit: `1 to ${MAX_PROFIT_ROWS}, default ${USUAL_PROFIT_ROWS}: the maximum number of rows; \`others\` is the sum of the rest.`,
  },
  data: profitReport,
  reads: "profit",
});

export const listLosses = endpoint({
  method: "GET",
  path: "/api/profit/losses",
  guard: "admin",
  area: "profit",
  summary: "Models that channels in use sell below their buying price, at present prices",
  data: listOf(plain(lossSchema)),
  reads: "profit",
});

export const exportProfit = endpoint({
  method: "GET",
  path: "/api/profit/export",
  guard: "admin",
  area: "profit",
  summary: "Revenue and upstream cost, as a file",
  query: { ...FORMAT_PARAMETER, ...PROFIT_PARAMETERS },
  isFile: true,
});
