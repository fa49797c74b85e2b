import {
  hasKnownCost,
  marginOf,
  type ProfitGrouping,
  type ProfitOrder,
  type ProfitReport,
  type ProfitRow,
  type ProfitSum,
  profitOf,
} from "@tollgate/contract/api/profit";
import type { InSnapshot, SqlRunner } from "../../sql/sql-runner";
import { wholeSum } from "../../sql/whole-sum";
import { DAY_SECONDS } from "../hours";
import type { ProfitQueries, ProfitQuery } from "../ports";
import { resolveFilter } from "./resolve-filter";
import { PROFIT_COLUMNS } from "./sum-columns";
import type { ChannelNames } from "./usage";
import { type Span, usageRows } from "./usage-rows";

interface Found extends ProfitSum {
  key: number;
  modelId: number;
}

const NOTHING: ProfitSum = { requests: 0, revenue: 0, costedRequests: 0, costedRevenue: 0, cost: 0 };

const plus = (a: ProfitSum, b: ProfitSum): ProfitSum => ({
  requests: a.requests + b.requests,
  revenue: a.revenue + b.revenue,
  costedRequests: a.costedRequests + b.costedRequests,
  costedRevenue: a.costedRevenue + b.costedRevenue,
  cost: a.cost + b.cost,
});

const SPANS: Record<ProfitGrouping, Pick<Span, "by" | "step">> = {
  none: { by: "none", step: "range" },
  day: { by: "none", step: "day" },
  channel: { by: "channel", step: "range" },
  model: { by: "model", step: "range" },
  user: { by: "user", step: "range" },
  channel_model: { by: "channel_model", step: "range" },
  day_model: { by: "model", step: "day" },
};

const SUMS = `sum(requests) AS requests, ${wholeSum("quota")} AS revenue, sum(costed_requests) AS "costedRequests",
  ${wholeSum("costed_quota")} AS "costedRevenue", ${wholeSum("cost")} AS cost`;
const ADDED_UP = PROFIT_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");

const keyOf = (by: ProfitGrouping, offsetSeconds: number): string => {
  switch (by) {
    case "none":
      return "0";
    case "day":
    case "day_model":
      return `((hour + ${offsetSeconds}) / ${DAY_SECONDS}) * ${DAY_SECONDS} - ${offsetSeconds}`;
    case "model":
      return "model_id";
    case "user":
      return "payers.user_id";
    default:
      return "channel_id";
  }
};

const findSums = async (
  log: SqlRunner,
  { filter, by, offsetMinutes }: Pick<ProfitQuery, "filter" | "by" | "offsetMinutes">,
  now: number,
): Promise<Found[]> => {
  const resolved = await resolveFilter(log, filter, false);
  if (!resolved) return [];
  const offsetSeconds = offsetMinutes * 60;
  const span: Span = { ...SPANS[by], offsetSeconds, columns: PROFIT_COLUMNS };
  const { sql, parameters } = await usageRows(log, resolved, span, now);
  const from =
    by === "user"
      ? `(SELECT payer_id, 0 AS model_id, ${ADDED_UP} FROM (${sql}) AS part GROUP BY payer_id) AS part
         JOIN payers ON payers.id = part.payer_id`
      : `(${sql}) AS part`;
  const model = by.endsWith("_model") ? "model_id" : "0";
  return log.all<Found>(
    `SELECT ${keyOf(by, offsetSeconds)} AS key, ${model} AS "modelId", ${SUMS} FROM ${from}
     GROUP BY 1, 2 HAVING sum(requests) > 0 OR sum(quota) <> 0 OR sum(cost) <> 0`,
    ...parameters,
  );
};

/** Sort value of rows; undefined comes last. */
const MEASURES: Record<Exclude<ProfitOrder, "name">, (row: ProfitSum) => number | undefined> = {
  revenue: ({ revenue }) => revenue,
  cost: (row) => (hasKnownCost(row) ? row.cost : undefined),
  profit: (row) => (hasKnownCost(row) ? profitOf(row) : undefined),
  margin: marginOf,
  unknown: ({ revenue, costedRevenue }) => revenue - costedRevenue,
  requests: ({ requests }) => requests,
};

/** @param textOf undefined until names are known: then by key. */
const inOrder = (
  rows: readonly Found[],
  order: ProfitOrder,
  isDescending: boolean,
  nameOf: (row: Found) => string,
): Found[] => {
  const sign = isDescending ? -1 : 1;
  const byKey = (a: Found, b: Found): number => a.key - b.key || a.modelId - b.modelId;
  if (order === "name") {
    return rows
      .map((row) => ({ row, name: nameOf(row) }))
      .sort((a, b) => (a.name === b.name ? byKey(a.row, b.row) : (a.name < b.name ? -1 : 1) * sign))
      .map(({ row }) => row);
  }
  const measure = MEASURES[order];
  return rows.toSorted((a, b) => {
    const [one, other] = [measure(a), measure(b)];
    if (one === undefined || other === undefined)
      return one === other ? byKey(a, b) : one === undefined ? 1 : -1;
    return (one - other) * sign || byKey(a, b);
  });
};

const dayText = (seconds: number, offsetMinutes: number): string =>
  new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 10);

interface Names {
  channel: ReadonlyMap<number, string>;
  model: ReadonlyMap<number, string>;
  user: ReadonlyMap<number, string>;
}

const tableOf = (rows: readonly { id: number; name: string }[]): Map<number, string> =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** Profit, from the sums kept by the hour, and from lines where a range ends within an hour. */
export const profitReads = (inSnapshot: InSnapshot, channels: ChannelNames): ProfitQueries => {
  const namesOf = async (log: SqlRunner, by: ProfitGrouping): Promise<Names> => ({
    channel: by.startsWith("channel") ? tableOf(await channels.all()) : new Map(),
    model:
      by === "model" || by.endsWith("_model")
        ? tableOf(await log.all("SELECT id, name FROM models"))
        : new Map(),
    // The last one wins: the newest name.
    user:
      by === "user"
        ? tableOf(await log.all("SELECT user_id AS id, username AS name FROM payers ORDER BY payers.id"))
        : new Map(),
  });

  return {
    report: (query: ProfitQuery, now: number): Promise<ProfitReport> =>
      inSnapshot(async (log) => {
        const { by, order, isDescending, limit, offsetMinutes } = query;
        const found = await findSums(log, query, now);
        const names = await namesOf(log, by);
        const rowOf = ({ key, modelId, ...sum }: Found): ProfitRow => {
          switch (by) {
            case "none":
              return { key: "", name: "", ...sum };
            case "day":
            case "day_model": {
              const day = dayText(key, offsetMinutes);
              const model = names.model.get(modelId) ?? "";
              return { key: day, name: day, ...(by === "day" ? {} : { model }), ...sum };
            }
            case "model": {
              const name = names.model.get(key) ?? "";
              return { key: name, name, ...sum };
            }
            case "channel_model": {
              const model = names.model.get(modelId) ?? "";
              return { key: String(key), name: names.channel.get(key) ?? "", model, ...sum };
            }
            default:
              return { key: String(key), name: names[by].get(key) ?? "", ...sum };
          }
        };
        const textOf = (row: Found): string => {
          const { key, name, model = "" } = rowOf(row);
          return `${name || key} ${model}`;
        };
        const sorted = inOrder(found, order, isDescending, textOf);
        const rest = sorted.slice(limit);
        return {
          total: found.reduce(plus, NOTHING),
          rows: sorted.slice(0, limit).map(rowOf),
          ...(rest.length === 0 ? {} : { others: { ...rest.reduce(plus, NOTHING), count: rest.length } }),
        };
      }),
  };
};
