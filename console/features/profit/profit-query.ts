import { getProfit, type ProfitGrouping } from "@tollgate/contract/api/profit";
import { endpointQuery } from "../../lib/endpoint-query";
import { clockOffsetMinutes, type UsageRange } from "../../lib/usage/usage-range";
import type { ProfitFilter } from "./profit-search";

export interface ProfitRequest {
  range: UsageRange;
  by: ProfitGrouping;
  filter: ProfitFilter;
  /** A column's id, with "-" before it for descending. */
  sort: string;
  limit: number;
}

/** Query parameters of profit. */
export const profitParameters = ({ range, by, filter, sort }: Omit<ProfitRequest, "limit">) => ({
  start_timestamp: range.from,
  end_timestamp: range.to,
  by,
  order: sort.replace(/^-/, ""),
  direction: sort.startsWith("-") ? "desc" : "asc",
  offset_minutes: clockOffsetMinutes(),
  model_name: filter.model,
  channel: filter.channel,
  username: filter.username,
});

export const profitQuery = ({ limit, ...request }: ProfitRequest) => ({
  ...endpointQuery(getProfit, { query: { ...profitParameters(request), limit } }),
  staleTime: 60_000,
  // The page shows the failure in place of the numbers.
  meta: { silent: true },
});
