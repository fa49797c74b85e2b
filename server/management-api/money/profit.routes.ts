import { USAGE_PARAMETERS } from "@tollgate/contract/api/usage";
import { lossSchema } from "@tollgate/contract/management/buying-price";
import {
  encodeProfit,
  MOST_PROFIT_ROWS,
  PROFIT_GROUPINGS,
  PROFIT_ORDERS,
  profitWireSchema,
} from "@tollgate/contract/management/profit";
import type { ProfitQuery } from "@tollgate/storage/log/ports";
import { z } from "zod/mini";
import { giveWay } from "../../give-way";
import { findLosses } from "../../prices/buying-table";
import { Failure } from "../failure";
import { readAdminFilter } from "../logs/log-filter";
import { readOffsetMinutes } from "../logs/usage-query";
import { readChoice } from "../read-choice";
import { type Route, readInteger, route } from "../route";
import type { Services } from "../services";

const USUAL_ROWS = 100;

/** What the parameters of a report mean. */
export const PROFIT_PARAMETERS = {
  start_timestamp: USAGE_PARAMETERS.start_timestamp,
  end_timestamp: USAGE_PARAMETERS.end_timestamp,
  by: "What is told apart: `none` (without it), `day`, `channel`, `model`, `user`, `channel_model` or `day_model`.",
  offset_minutes: USAGE_PARAMETERS.offset_minutes,
  order:
    "By what rows are in order: `revenue` (without it), `cost`, `profit`, `margin`, `unknown`, `requests` or `name`; what is not known comes last.",
  direction: "`desc` (without it) or `asc`.",
  channel: "Only of the channel with this id.",
  model_name: USAGE_PARAMETERS.model_name,
  username: "Only of this user.",
  token_name: USAGE_PARAMETERS.token_name,
};

const readLimit = (text: string | undefined): number => {
  if (text === undefined || text === "") return USUAL_ROWS;
  const limit = readInteger(text);
  if (limit < 1 || limit > MOST_PROFIT_ROWS) throw new Failure("invalid-parameter");
  return limit;
};

/** What a report, or its file, asks for. @throws Failure */
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

/** What was earned; beyond the contract. */
export const profitRoutes = ({ storage, channels, pricing, now }: Services): Route[] => [
  route({
    method: "GET",
    path: "/api/profit",
    guard: "admin",
    summary: "What was charged and what upstreams ask for it, by day, channel, model or user",
    query: {
      ...PROFIT_PARAMETERS,
      limit: `1 to ${MOST_PROFIT_ROWS}, ${USUAL_ROWS} without it: how many rows are told apart; \`others\` adds the rest up.`,
    },
    data: profitWireSchema,
    async answer({ query }) {
      return encodeProfit(await storage.read.profit.report(readProfitQuery(query), now()));
    },
  }),
  route({
    method: "GET",
    path: "/api/profit/losses",
    guard: "admin",
    summary: "What channels in use sell below what they buy it at, by the prices of now",
    data: z.array(lossSchema),
    answer: () =>
      findLosses({ book: pricing.book(), nowMs: now() * 1000, giveWay }, channels.enabled(), (id) =>
        channels.buyingPricesOf(id),
      ),
  }),
];
