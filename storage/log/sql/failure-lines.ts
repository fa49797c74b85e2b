import type { LogFilter, StoredLog } from "@tollgate/contract/api/logs";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import type { SqlPart, SqlRunner } from "../../sql/sql-runner";
import { decodeReceiptDetail } from "../receipt-detail";
import type { LineHour } from "./line-hours";
import { keyIdOf } from "./no-request";
import { lineConditions, type ResolvedFilter } from "./resolve-filter";
import { type Moments, rowHours } from "./row-hours";

/*
 * Failed requests as lines of the log. They stand in a table of their own, because they count for no sum of lines, and any holder
 * of a key can cause them.
 */

interface FailureRow {
  request_id: string;
  first_at: number;
  last_at: number;
  occurrences: number;
  user_id: number;
  channel_id: number;
  status: number;
  code: string;
  username: string;
  token_id: number;
  token_name: string;
  model_name: string | null;
  detail: string | null;
}

const toLog = (row: FailureRow): StoredLog => {
  const detail = row.detail === null ? undefined : decodeReceiptDetail(row.detail);
  return {
    id: 0,
    userId: row.user_id,
    createdAt: row.first_at,
    type: LOG_ERROR,
    content: "",
    username: row.username,
    tokenName: row.token_name,
    modelName: detail?.requestedModel ?? row.model_name ?? "",
    quota: 0,
    promptTokens: 0,
    completionTokens: 0,
    channelId: row.channel_id,
    requestId: row.request_id,
    isStream: detail?.isStream ?? false,
    durationMs: detail?.durationMs ?? 0,
    firstByteMs: 0,
    cachedTokens: undefined,
    cacheWriteTokens: undefined,
    keyId: keyIdOf(row),
    failure: {
      code: row.code,
      upstreamStatus: row.status,
      told: detail?.told,
      group: detail?.group,
      times: row.occurrences,
      lastAt: row.last_at,
    },
  };
};

/** Whether a filter leaves failures at all. */
export const mayFail = ({ type }: Pick<LogFilter, "type">): boolean =>
  type === undefined || type === LOG_ERROR;

/** Codes of failures that were no refusals: the client left, or the answer broke off in the middle. */
const INTERRUPTED_CODES = ["client-left", "interrupted", "upstream-interrupted", "storage-interrupted"];

/** Everything but the time, for failures. */
export const failureConditions = (
  log: SqlRunner,
  resolved: ResolvedFilter,
  requestId: string | undefined,
): SqlPart => {
  const { isInterrupted } = resolved;
  const { sql, parameters } = lineConditions(log, {
    ...resolved,
    type: undefined,
    isInterrupted: undefined,
  });
  const all = { sql, parameters: [...parameters] };
  if (isInterrupted !== undefined) {
    all.sql += ` AND code ${isInterrupted ? "IN" : "NOT IN"} (${INTERRUPTED_CODES.map(() => "?").join()})`;
    all.parameters.push(...INTERRUPTED_CODES);
  }
  if (requestId !== undefined) {
    all.sql += " AND request_id = ?";
    all.parameters.push(requestId);
  }
  return all;
};

/** Failures between two moments, both inclusive, the newest first. */
export const fetchFailures = async (
  log: SqlRunner,
  { sql, parameters }: SqlPart,
  { from, to }: Moments,
  limit: number,
  offset: number,
): Promise<StoredLog[]> => {
  const rows = await log.all<FailureRow>(
    `SELECT failure.request_id, failure.first_at, failure.last_at, failure.occurrences, failure.user_id, failure.channel_id,
       failure.status, failure.code, payers.username, payers.token_id, payers.token_name,
       models.name AS model_name, receipts.detail
     FROM (SELECT * FROM failures WHERE first_at >= ? AND first_at <= ?${sql}
       ORDER BY first_at DESC, request_id DESC LIMIT ? OFFSET ?) AS failure
     JOIN payers ON payers.id = failure.payer_id
     LEFT JOIN models ON models.id = failure.model_id
     LEFT JOIN receipts ON receipts.request_id = failure.request_id AND receipts.log_id = 0
     ORDER BY failure.first_at DESC, failure.request_id DESC`,
    ...[from, to, ...parameters],
    limit,
    offset,
  );
  return rows.map(toLog);
};

/** How many failures there are between two moments, both inclusive. */
export const countFailures = async (
  log: SqlRunner,
  { sql, parameters }: SqlPart,
  { from, to }: Moments,
): Promise<number> => {
  const [row] = await log.all<{ failures: number }>(
    `SELECT count(*) AS failures FROM failures WHERE first_at >= ? AND first_at <= ?${sql}`,
    from,
    to,
    ...parameters,
  );
  return row?.failures ?? 0;
};

/** Hours with failures that the filter leaves, the newest first. */
export const failureHours = (log: SqlRunner, conditions: SqlPart, range: Moments): AsyncGenerator<LineHour> =>
  rowHours(log, { table: "failures", time: "first_at", all: "TRUE" }, conditions, range);

/** Two lists of hours as one, both the newest first. */
export async function* mergeHours(
  one: AsyncIterator<LineHour>,
  other: AsyncIterator<LineHour>,
): AsyncGenerator<LineHour> {
  let [left, right] = await Promise.all([one.next(), other.next()]);
  while (!left.done || !right.done) {
    const hour = Math.max(left.done ? 0 : left.value.hour, right.done ? 0 : right.value.hour);
    let lines = 0;
    if (!left.done && left.value.hour === hour) {
      lines += left.value.lines;
      left = await one.next();
    }
    if (!right.done && right.value.hour === hour) {
      lines += right.value.lines;
      right = await other.next();
    }
    yield { hour, lines };
  }
}
