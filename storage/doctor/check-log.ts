import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { HOUR_SECONDS, hourOf } from "../log/hours";
import { BLOCK_TABLES } from "../log/sql/blocks";
import { readState } from "../log/sql/log-state";
import { IS_REQUEST } from "../log/sql/no-request";
import { SUM_COLUMNS } from "../log/sql/sum-columns";
import { TAKEN_BACK } from "../outbox/log-content";
import { wholeSum } from "../sql/whole-sum";
import type { ExaminedData } from "./examined-data";
import type { FoundFaults } from "./found-faults";

const hourName = (hour: number): string => `${new Date(hour * 1000).toISOString().slice(0, 13)}:00`;

interface HourRow {
  hour: number;
  [column: string]: number;
}

/** The sums of all users together, of each model, channel and payer, and of all three must be the same. */
const checkSums = async ({ log }: ExaminedData, found: FoundFaults): Promise<void> => {
  const sums = SUM_COLUMNS.map((column) => `${wholeSum(column)} AS ${column}`).join(", ");
  const ofTable = async (table: string): Promise<Map<number, HourRow>> => {
    const rows = await log.all<HourRow>(`SELECT hour, ${sums} FROM ${table} GROUP BY hour`);
    return new Map(rows.map((row) => [row.hour, row]));
  };
  const site = await ofTable("site_hours");
  for (const table of ["model_hours", "channel_hours", "payer_hours", "detail_hours"]) {
    const parts = await ofTable(table);
    for (const hour of new Set([...site.keys(), ...parts.keys()])) {
      for (const column of SUM_COLUMNS) {
        const whole = site.get(hour)?.[column] ?? 0;
        const sum = parts.get(hour)?.[column] ?? 0;
        if (whole !== sum) found.add({ code: "hour-sums", hour: hourName(hour), column, whole, table, sum });
      }
    }
  }
};

/** Sums by bucket and by week must equal those of the hours. */
const checkBlocks = async ({ log }: ExaminedData, found: FoundFaults): Promise<void> => {
  const quotas = async (sql: string): Promise<Map<number, number>> =>
    new Map((await log.all<{ block: number; quota: number }>(sql)).map((row) => [row.block, row.quota]));
  const until = await readState(log, "buckets-until");
  for (const { table, block, seconds } of BLOCK_TABLES) {
    const hours = await quotas(
      `SELECT hour - hour % ${seconds} AS block, ${wholeSum("quota")} AS quota FROM channel_hours
       WHERE hour < ${until} GROUP BY 1`,
    );
    const blocks = await quotas(
      `SELECT ${block} AS block, ${wholeSum("quota")} AS quota FROM ${table} GROUP BY 1`,
    );
    for (const begin of new Set([...hours.keys(), ...blocks.keys()])) {
      if (hours.get(begin) === blocks.get(begin)) continue;
      const [whole, sum] = [hours.get(begin) ?? 0, blocks.get(begin) ?? 0];
      found.add({ code: "block-sums", hour: hourName(begin), block, whole, table, sum });
    }
  }
};

/** The lines of every hour that was not cleared must be those that its sums count. */
const checkLines = async ({ log }: ExaminedData, found: FoundFaults): Promise<number> => {
  const lines = await log.all<HourRow>(
    `SELECT created_at - created_at % ${HOUR_SECONDS} AS hour, count(*) AS lines, ${wholeSum("quota")} AS quota,
       sum(CASE WHEN type = ${LOG_CONSUME} AND ${IS_REQUEST} THEN 1 ELSE 0 END) AS requests
     FROM logs GROUP BY 1`,
  );
  const byHour = new Map(lines.map((row) => [row.hour, row]));
  const cleared = await readState(log, "cleared-before");
  // Of the hour of a clearing some lines are gone, also when it was in its first second.
  const first = cleared === 0 ? 0 : hourOf(cleared) + HOUR_SECONDS;
  const sums = await log.all<HourRow>(
    `SELECT hour, sum(lines) AS lines, sum(requests) AS requests, ${wholeSum("quota")} AS quota FROM site_hours
     WHERE hour >= ? GROUP BY hour`,
    first,
  );
  for (const sum of sums) {
    const row = byHour.get(sum.hour);
    const there = { lines: row?.lines ?? 0, quota: row?.quota ?? 0, requests: row?.requests ?? 0 };
    if (there.lines !== sum.lines) {
      found.add({
        code: "hour-lines",
        hour: hourName(sum.hour),
        lines: there.lines,
        counted: sum.lines ?? 0,
      });
    } else if (there.requests === sum.requests && there.quota !== sum.quota) {
      found.add({ code: "hour-cost", hour: hourName(sum.hour), cost: there.quota, summed: sum.quota ?? 0 });
    }
  }
  return lines.reduce((all, row) => all + (row.lines ?? 0), 0);
};

/** Entries of the log about one request, counted. */
interface RequestRow {
  request: string;
  /** Receipts without a line: of failures. */
  failures: number;
  charges: number;
  /** Lines that take a charge back. */
  reversals: number;
  quota: number;
}

/**
 * Whether a request has more rows than one charge or one failure, or a reversed charge with the failure sent to its
 * client.
 * @param waiting the quota of a reversal whose line is still to be written; undefined for none.
 */
const isTwice = (
  { failures, charges, reversals, quota }: RequestRow,
  waiting: number | undefined,
): boolean => {
  const all = reversals + (waiting === undefined ? 0 : 1);
  if (all === 0) return failures + charges > 1;
  return all > 1 || charges !== 1 || failures > 1 || quota + (waiting ?? 0) !== 0;
};

/** Every request is in the log once. In a time that is being cleared, some of a request's rows may be gone. */
export const checkRepeated = async (
  { log, waiting }: Pick<ExaminedData, "log" | "waiting">,
  found: FoundFaults,
): Promise<void> => {
  const cleared = await readState(log, "cleared-before");
  const isReversal = `contents.text = '${TAKEN_BACK}'`;
  const rows = log.pages<RequestRow>(
    `SELECT receipts.request_id AS request, sum(CASE WHEN receipts.log_id = 0 THEN 1 ELSE 0 END) AS failures,
       sum(CASE WHEN receipts.log_id = 0 OR ${isReversal} THEN 0 ELSE 1 END) AS charges,
       sum(CASE WHEN ${isReversal} THEN 1 ELSE 0 END) AS reversals, ${wholeSum("coalesce(logs.quota, 0)")} AS quota
     FROM receipts LEFT JOIN logs ON logs.id = receipts.log_id AND logs.created_at = receipts.created_at
       LEFT JOIN contents ON contents.id = logs.content_id
     WHERE receipts.created_at >= ${cleared} AND receipts.request_id IN (
       SELECT request_id FROM receipts WHERE detail IS NOT NULL GROUP BY request_id HAVING count(*) > 1
     ) GROUP BY receipts.request_id`,
  );
  for await (const page of rows)
    for (const row of page) {
      const { request, failures, charges, reversals } = row;
      if (isTwice(row, waiting.reversals.get(request)))
        found.add({ code: "request-repeated", request, times: failures + charges + reversals });
    }
};

interface LineRow {
  id: number;
  log_id: number | null;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  is_stream: number;
  duration_ms: number;
  /** 1 where both are of the same payer, model and channel, and the receipt of no failure. */
  is_same: number;
  detail: string | null;
}

/** Whether a receipt's particulars (storage/log/receipt-detail.ts) agree with its line. */
const saysTheSame = ({ detail, ...line }: LineRow): boolean => {
  if (line.is_same !== 1) return false;
  if (detail === null) return true;
  const parts = tryParseJson(detail);
  if (parts === undefined) return false;
  return (
    Array.isArray(parts) &&
    parts[13] === line.quota &&
    parts[6] === line.prompt_tokens &&
    parts[7] === line.completion_tokens &&
    parts[3] === line.is_stream &&
    parts[4] === line.duration_ms
  );
};

/** Every line of a request has a receipt of its own, which says the same. */
const checkReceipts = async ({ log }: ExaminedData, found: FoundFaults): Promise<void> => {
  const rows = log.pages<LineRow>(
    `SELECT logs.id, logs.quota, logs.prompt_tokens, logs.completion_tokens, logs.is_stream, logs.duration_ms,
       receipts.log_id, receipts.detail, CASE WHEN receipts.payer_id = logs.payer_id
         AND receipts.model_id = logs.model_id AND receipts.channel_id = logs.channel_id AND receipts.is_error = 0
         THEN 1 ELSE 0 END AS is_same
     FROM logs LEFT JOIN receipts ON receipts.id = logs.receipt_id AND receipts.created_at = logs.created_at
     WHERE logs.receipt_id <> 0`,
  );
  for await (const page of rows)
    for (const row of page) {
      if (row.log_id !== row.id) found.add({ code: "line-without-receipt", line: row.id });
      else if (!saysTheSame(row)) found.add({ code: "line-unlike-receipt", line: row.id });
    }
};

/** @returns how many lines there are. */
export const checkLog = async (data: ExaminedData, found: FoundFaults): Promise<number> => {
  const lines = await checkLines(data, found);
  await checkSums(data, found);
  await checkBlocks(data, found);
  await checkRepeated(data, found);
  await checkReceipts(data, found);
  return lines;
};
