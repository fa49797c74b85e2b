import {
  getProfit,
  listLosses,
  MAX_PROFIT_ROWS,
  PROFIT_GROUPINGS,
  PROFIT_ORDERS,
  USUAL_PROFIT_ROWS,
} from "@tollgate/contract/api/profit";
import type { ProfitQuery } from "@tollgate/storage/log/ports";
import { findLosses } from "../../prices/buying-table";
import { yieldToOthers } from "../../yield-to-others";
import { Failure } from "../failure";
import { readAdminFilter } from "../logs/log-filter";
import { readOffsetMinutes } from "../logs/usage-query";
import { readChoice } from "../read-choice";
import { implement, readInteger } from "../route";

const readLimit = (text: string | undefined): number => {
  if (text === undefined || text === "") return USUAL_PROFIT_ROWS;
  const limit = readInteger(text);
  if (limit < 1 || limit > MAX_PROFIT_ROWS) throw new Failure("invalid-parameter");
  return limit;
};

/** Reads the query for a report, or its file. @throws Failure */
export const readProfitQuery = (
  query: Record<string, string>,
  limit = readLimit(query.limit),
): ProfitQuery => ({
  filter: readAdminFilter(query),
  by: readChoice(PROFIT_GROUPINGS, query.by, "none"),
  order: readChoice(PROFIT_ORDERS, query.order, "revenue"),
  isDescending: readChoice(["desc", "asc"] as const, query.direction, "desc") === "desc",
  offsetMinutes: readOffsetMinutes(query),
  limit,
});

/** Earnings; beyond the contract. */
export const profitRoutes = [
  implement(getProfit, ({ services, query }) =>
    services.storage.read.profit.report(readProfitQuery(query), services.now()),
  ),

  implement(listLosses, ({ services: { channels, pricing, now } }) =>
    findLosses({ book: pricing.book(), nowMs: now() * 1000, yieldToOthers }, channels.enabled(), (id) =>
      channels.buyingPricesOf(id),
    ),
  ),
];
