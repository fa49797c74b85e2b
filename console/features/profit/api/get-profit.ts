import { queryOptions } from "@tanstack/react-query";
import { type ProfitGrouping, readProfit } from "@tollgate/contract/management/profit";
import { callApi } from "../../../lib/api-client";
import { clockOffsetMinutes, type UsageRange } from "../../../lib/usage/usage-range";
import type { ProfitFilter } from "../profit-search";

export interface ProfitRequest {
  range: UsageRange;
  by: ProfitGrouping;
  filter: ProfitFilter;
  /** A column's id, with "-" before it for descending. */
  sort: string;
  limit: number;
}

/** What the server is asked for profit by. */
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

/** GET /api/profit */
export const profitQuery = ({ limit, ...request }: ProfitRequest) =>
  queryOptions({
    queryKey: ["profit", request, limit],
    queryFn: async ({ signal }) =>
      readProfit(
        (await callApi("GET", "/api/profit", { query: { ...profitParameters(request), limit }, signal }))
          .data,
      ),
    staleTime: 60_000,
    // The page says it where the numbers would be.
    meta: { silent: true },
  });
