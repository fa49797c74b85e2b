import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { DataFault } from "../errors";
import { HOUR_SECONDS, hourOf } from "../log/hours";
import { BLOCK_TABLES } from "../log/sql/blocks";
import { SUM_COLUMNS } from "../log/sql/sum-columns";
import { readState } from "../log/sqlite/log-state";
import type { Snapshot } from "./snapshot";

const MAX_SHOWN = 20;

const hourName = (hour: number): string => `${new Date(hour * 1000).toISOString().slice(0, 13)}:00`;

interface HourRow {
  hour: number;
  [column: string]: number;
}

/** The sums of everybody together, of each model, channel and payer, and of all three must be the same. */
const checkSums = ({ log }: Snapshot): DataFault[] => {
  const sums = SUM_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");
  const ofTable = (table: string): Map<number, HourRow> => {
    const rows = log.prepare(`SELECT hour, ${sums} FROM ${table} GROUP BY hour`).all() as HourRow[];
    return new Map(rows.map((row) => [row.hour, row]));
  };
  const site = ofTable("site_hours");
  return ["model_hours", "channel_hours", "payer_hours", "detail_hours"].flatMap((table) => {
    const parts = ofTable(table);
    const faults: DataFault[] = [];
    for (const hour of new Set([...site.keys(), ...parts.keys()])) {
      for (const column of SUM_COLUMNS) {
        const whole = site.get(hour)?.[column] ?? 0;
        const sum = parts.get(hour)?.[column] ?? 0;
        if (whole !== sum) {
          faults.push({ code: "hour-sums", hour: hourName(hour), column, whole, table, sum });
        }
      }
    }
    return faults;
  });
};

/** What was added up by the bucket and the week must be what the hours say. */
const checkBlocks = ({ log }: Snapshot): DataFault[] => {
  const quotas = (sql: string): Map<number, number> =>
    new Map(
      (log.prepare(sql).all() as { block: number; quota: number }[]).map((row) => [row.block, row.quota]),
    );
  return BLOCK_TABLES.flatMap(({ table, block, seconds }) => {
    const hours = quotas(
      `SELECT hour - hour % ${seconds} AS block, sum(quota) AS quota FROM channel_hours
       WHERE hour < ${readState(log, "buckets-until")} GROUP BY 1`,
    );
    const blocks = quotas(`SELECT ${block} AS block, sum(quota) AS quota FROM ${table} GROUP BY 1`);
    return [...new Set([...hours.keys(), ...blocks.keys()])]
      .filter((begin) => hours.get(begin) !== blocks.get(begin))
      .map((begin) => {
        const [whole, sum] = [hours.get(begin) ?? 0, blocks.get(begin) ?? 0];
        return { code: "block-sums", hour: hourName(begin), block, whole, table, sum };
      });
  });
};

/** The lines of every hour that was not cleared must be those that its sums count. */
const checkLines = ({ log }: Snapshot): { lines: number; faults: DataFault[] } => {
  const lines = log
    .prepare(
      `SELECT created_at - created_at % ${HOUR_SECONDS} AS hour, count(*) AS lines, sum(quota) AS quota,
         sum(type = ${LOG_CONSUME}) AS requests
       FROM logs GROUP BY 1`,
    )
    .all() as HourRow[];
  const byHour = new Map(lines.map((row) => [row.hour, row]));
  const cleared = readState(log, "cleared-before");
  // Of the hour of a clearing some lines are gone, also when it was in its first second.
  const first = cleared === 0 ? 0 : hourOf(cleared) + HOUR_SECONDS;
  const sums = log
    .prepare(
      `SELECT hour, sum(lines) AS lines, sum(requests) AS requests, sum(quota) AS quota FROM site_hours
       WHERE hour >= ? GROUP BY hour`,
    )
    .all(first) as HourRow[];
  const faults: DataFault[] = [];
  for (const sum of sums) {
    const row = byHour.get(sum.hour);
    const found = { lines: row?.lines ?? 0, quota: row?.quota ?? 0, requests: row?.requests ?? 0 };
    if (found.lines !== sum.lines) {
      faults.push({
        code: "hour-lines",
        hour: hourName(sum.hour),
        lines: found.lines,
        counted: sum.lines ?? 0,
      });
    } else if (found.requests === sum.requests && found.quota !== sum.quota) {
      faults.push({ code: "hour-cost", hour: hourName(sum.hour), cost: found.quota, summed: sum.quota ?? 0 });
    }
  }
  return { lines: lines.reduce((all, row) => all + (row.lines ?? 0), 0), faults };
};

/** Every request has one receipt, and one line at most. */
const checkReceipts = ({ log }: Snapshot): DataFault[] => {
  const doubles = log
    .prepare(
      `SELECT request_id AS id, count(*) AS times FROM receipts WHERE detail IS NOT NULL
       GROUP BY request_id HAVING times > 1 LIMIT ${MAX_SHOWN}`,
    )
    .all() as { id: string; times: number }[];
  const lost = log
    .prepare(
      `SELECT logs.id FROM logs LEFT JOIN receipts ON receipts.id = logs.receipt_id
       WHERE logs.receipt_id <> 0 AND receipts.log_id IS NOT logs.id LIMIT ${MAX_SHOWN}`,
    )
    .all() as { id: number }[];
  return [
    ...doubles.map(({ id, times }): DataFault => ({ code: "request-repeated", request: id, times })),
    ...lost.map(({ id }): DataFault => ({ code: "line-without-receipt", line: id })),
  ];
};

export const checkLog = (snapshot: Snapshot): { lines: number; faults: DataFault[] } => {
  const { lines, faults } = checkLines(snapshot);
  return {
    lines,
    faults: [...faults, ...checkSums(snapshot), ...checkBlocks(snapshot), ...checkReceipts(snapshot)],
  };
};
