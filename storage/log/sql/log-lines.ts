import type { LogFilter, StoredLog } from "@tollgate/contract/api/logs";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { decodeLogContent, PHRASES_BEGIN } from "../../outbox/log-content";
import { likePrefix } from "../../sql/like-prefix";
import type { InSnapshot, SqlPart, SqlRunner } from "../../sql/sql-runner";
import { HOUR_SECONDS } from "../hours";
import type { LineQueries } from "../ports";
import { readCacheTokens } from "../receipt-detail";
import {
  countFailures,
  failureConditions,
  failureHours,
  fetchFailures,
  mayFail,
  mergeHours,
} from "./failure-lines";
import type { LineHour } from "./line-hours";
import { keyIdOf } from "./no-request";
import { hoursOfLines } from "./outcome-hours";
import { lineConditions, narrowToOutcome, type ResolvedFilter, resolveFilter } from "./resolve-filter";

interface LineRow {
  id: number;
  user_id: number;
  created_at: number;
  type: number;
  content: string | null;
  username: string;
  token_id: number;
  token_name: string;
  model_name: string | null;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  channel_id: number;
  is_stream: number;
  duration_ms: number;
  first_byte_ms: number;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  request_id: string | null;
  detail: string | null;
}

/** Counts of the prompt's cache; those of lines that have none are in their receipts, if anywhere. */
const cacheOf = (row: LineRow): Pick<StoredLog, "cachedTokens" | "cacheWriteTokens"> => {
  if (row.cache_read_tokens === null && row.cache_write_tokens === null && row.detail !== null)
    return readCacheTokens(row.detail);
  return {
    cachedTokens: row.cache_read_tokens ?? undefined,
    cacheWriteTokens: row.cache_write_tokens ?? undefined,
  };
};

const toLog = (row: LineRow): StoredLog => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  type: row.type,
  content: decodeLogContent(row.content ?? ""),
  username: row.username,
  tokenName: row.token_name,
  modelName: row.model_name ?? "",
  quota: row.quota,
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  channelId: row.channel_id,
  requestId: row.request_id ?? "",
  isStream: row.is_stream === 1,
  durationMs: row.duration_ms,
  firstByteMs: row.first_byte_ms,
  ...cacheOf(row),
  keyId: keyIdOf(row),
});

/** The last line of a page. */
type LastLine = Pick<StoredLog, "id" | "createdAt" | "requestId">;

/** The newest first; failures, which have no number, come after the lines of their second. */
const byTime = (a: StoredLog, b: StoredLog): number =>
  b.createdAt - a.createdAt || b.id - a.id || (b.requestId < a.requestId ? -1 : 1);

/** Identifies a line of a page: the number of a line, or the request of a failure, which has none. */
export interface LineKey {
  created_at: number;
  id: number;
  request_id: string;
}

/** The span of searched lines: between two moments, both inclusive, and only in some of its hours. */
interface LineSpan {
  from: number;
  to: number;
  /** undefined for all of them. */
  hours?: readonly number[];
}

/** The lines of a span, as a table, which the engine reads hour by hour when the span names hours. */
export const linesOf = (
  log: SqlRunner,
  { sql, parameters }: SqlPart,
  { from, to, hours }: LineSpan,
): SqlPart => {
  const within = `logs.created_at >= ? AND logs.created_at <= ?${sql}`;
  const all = [from, to, ...parameters];
  if (hours === undefined) return { sql: `SELECT logs.* FROM logs WHERE ${within}`, parameters: all };
  return log.rowsOfEach(hours, "logs", {
    sql: `logs.created_at >= each.value AND logs.created_at < each.value + ${HOUR_SECONDS} AND ${within}`,
    parameters: all,
  });
};

const fetch = async (
  log: SqlRunner,
  conditions: SqlPart,
  span: LineSpan,
  limit: number,
  offset: number,
): Promise<StoredLog[]> => {
  const lines = linesOf(log, conditions, span);
  const rows = await log.all<LineRow>(
    `SELECT line.id, line.user_id, line.created_at, line.type, contents.text AS content, payers.username,
       payers.token_id, payers.token_name, models.name AS model_name, line.quota, line.prompt_tokens, line.completion_tokens,
       line.channel_id, line.is_stream, line.duration_ms, line.first_byte_ms, line.cache_read_tokens, line.cache_write_tokens,
       receipts.request_id, receipts.detail
     FROM (${lines.sql} ORDER BY logs.created_at DESC, logs.id DESC LIMIT ? OFFSET ?) AS line
     JOIN payers ON payers.id = line.payer_id
     LEFT JOIN models ON models.id = line.model_id
     LEFT JOIN contents ON contents.id = line.content_id
     LEFT JOIN receipts ON receipts.id = line.receipt_id AND receipts.created_at = line.created_at
       AND receipts.created_at >= ? AND receipts.created_at <= ?
     ORDER BY line.created_at DESC, line.id DESC`,
    ...lines.parameters,
    limit,
    offset,
    // Said again, so that an engine with a part of the table for each day looks at no others.
    span.from,
    span.to,
  );
  return rows.map(toLog);
};

export const countLines = async (
  log: SqlRunner,
  { sql, parameters }: SqlPart,
  { from, to }: Pick<ResolvedFilter, "from" | "to">,
): Promise<number> => {
  const [row] = await log.all<{ lines: number }>(
    `SELECT count(*) AS lines FROM logs WHERE created_at >= ? AND created_at <= ?${sql}`,
    from,
    to,
    ...parameters,
  );
  return row?.lines ?? 0;
};

/**
 * Returns the span of these hours: consecutive ones make up one time between the first and the last.
 * @returns also whether the span has these hours whole.
 */
export const spanOfHours = (
  hours: readonly number[],
  { from, to }: Pick<ResolvedFilter, "from" | "to">,
): { span: LineSpan; isWhole: boolean } => {
  const [newest = 0] = hours;
  const oldest = hours.at(-1) ?? 0;
  const end = newest + HOUR_SECONDS - 1;
  const span = { from: Math.max(oldest, from), to: Math.min(end, to) };
  return {
    span: newest - oldest === (hours.length - 1) * HOUR_SECONDS ? span : { ...span, hours },
    isWhole: span.from === oldest && span.to === end,
  };
};

/** The list of a page: lines, failures, or both together. */
interface Source {
  /** Number of lines in a span. */
  count(span: Pick<LineSpan, "from" | "to">): Promise<number>;
  fetch(span: LineSpan, limit: number, offset: number): Promise<StoredLog[]>;
}

/**
 * Goes through hours until there are enough lines for the page, and reads these. A partial hour's lines are counted
 * only when some are to be skipped.
 */
const walk = async (
  source: Source,
  hours: AsyncIterable<LineHour> | Iterable<LineHour>,
  range: Pick<ResolvedFilter, "from" | "to">,
  offset: number,
  limit: number,
): Promise<StoredLog[]> => {
  const chosen: number[] = [];
  /** How many lines of the chosen hours come before the page. */
  let skip = offset;
  let found = 0;
  for await (const { hour, lines } of hours) {
    if (lines === 0) continue;
    const { span, isWhole } = spanOfHours([hour], range);
    let count = isWhole ? lines : 0;
    if (chosen.length === 0 && skip > 0) {
      if (!isWhole) count = await source.count(span);
      if (count <= skip) {
        skip -= count;
        continue;
      }
    }
    chosen.push(hour);
    found += count;
    if (found >= skip + limit) break;
  }
  return chosen.length === 0 ? [] : source.fetch(spanOfHours(chosen, range).span, limit, skip);
};

/** Reads lines and failures by their keys, in no order. */
export const readLines = async (log: SqlRunner, keys: readonly LineKey[]): Promise<StoredLog[]> => {
  const times = keys.map(({ created_at: time }) => time);
  const within = { from: Math.min(...times), to: Math.max(...times) };
  const ids = keys.flatMap(({ id }) => (id === 0 ? [] : [id]));
  const failed = keys.flatMap(({ id, request_id: requestId }) => (id === 0 ? [requestId] : []));
  const byId = log.isOneOf("id", ids);
  const byRequest = { sql: ` AND request_id IN (${failed.map(() => "?").join()})`, parameters: failed };
  return [
    ...(ids.length === 0
      ? []
      : await fetch(log, { ...byId, sql: ` AND ${byId.sql}` }, within, ids.length, 0)),
    ...(failed.length === 0 ? [] : await fetchFailures(log, byRequest, within, failed.length, 0)),
  ];
};

const linesAlone = (log: SqlRunner, conditions: SqlPart): Source => ({
  count: (span) => countLines(log, conditions, span),
  fetch: (span, limit, offset) => fetch(log, conditions, span, limit, offset),
});

/** Lines and failures in one order. Indexes find the rows of the page first; then only these are read. */
const linesAndFailures = (log: SqlRunner, ofLines: SqlPart, ofFailures: SqlPart): Source => ({
  count: async (span) =>
    (await countLines(log, ofLines, span)) + (await countFailures(log, ofFailures, span)),
  fetch: async (span, limit, offset) => {
    if ((await countFailures(log, ofFailures, span)) === 0) return fetch(log, ofLines, span, limit, offset);
    const lines = linesOf(log, ofLines, span);
    const keys = await log.all<LineKey>(
      `SELECT created_at, id, '' AS request_id FROM (${lines.sql}) AS logs
       UNION ALL SELECT first_at AS created_at, 0 AS id, request_id FROM failures
         WHERE first_at >= ? AND first_at <= ?${ofFailures.sql}
       ORDER BY created_at DESC, id DESC, request_id DESC LIMIT ? OFFSET ?`,
      ...lines.parameters,
      span.from,
      span.to,
      ...ofFailures.parameters,
      limit,
      offset,
    );
    return (await readLines(log, keys)).sort(byTime);
  },
});

/** The lines of one request. Its receipts name their times, so that few partitions are read. */
const ofRequest = async (
  log: SqlRunner,
  requestId: string,
  { sql, parameters }: SqlPart,
  { from, to }: LineSpan,
  limit: number,
): Promise<StoredLog[]> => {
  const rows = await log.all<{ log_id: number; created_at: number }>(
    "SELECT log_id, created_at FROM receipts WHERE request_id = ? AND log_id > 0",
    requestId,
  );
  if (rows.length === 0) return [];
  const times = rows.map(({ created_at: time }) => time);
  const byId = log.isOneOf(
    "id",
    rows.map(({ log_id: id }) => id),
  );
  const lines = { sql: `${sql} AND ${byId.sql}`, parameters: [...parameters, ...byId.parameters] };
  const range = { from: Math.max(from, Math.min(...times)), to: Math.min(to, Math.max(...times)) };
  return fetch(log, lines, range, limit, 0);
};

/** @param last the line before; undefined for the first page. */
export const page = async (
  log: SqlRunner,
  asked: LogFilter,
  offset: number,
  limit: number,
  last?: LastLine,
): Promise<StoredLog[]> => {
  const filter = narrowToOutcome(asked);
  const resolved = filter && (await resolveFilter(log, filter, true));
  if (!resolved) return [];
  const { type } = filter;
  const { requestId } = filter;
  const conditions = lineConditions(log, resolved);
  const failed = failureConditions(log, resolved, requestId);
  if (last) {
    resolved.to = Math.min(resolved.to, last.createdAt);
    const isFailure = last.id === 0;
    conditions.sql += isFailure ? " AND created_at < ?" : " AND (logs.created_at < ? OR logs.id < ?)";
    conditions.parameters.push(last.createdAt, ...(isFailure ? [] : [last.id]));
    if (isFailure) {
      failed.sql += " AND (first_at < ? OR request_id < ?)";
      failed.parameters.push(last.createdAt, last.requestId);
    }
  }
  if (type === LOG_ERROR) return fetchFailures(log, failed, resolved, limit, offset);
  if (requestId !== undefined) {
    const lines = await ofRequest(log, requestId, conditions, resolved, limit);
    const failures = mayFail(filter) ? await fetchFailures(log, failed, resolved, limit, 0) : [];
    return [...lines, ...failures].sort(byTime).slice(offset, offset + limit);
  }
  if (type !== undefined && type !== LOG_CONSUME) {
    // Lines about accounts are few and have indexes of their own.
    const sql = `${conditions.sql} AND type <> ${LOG_CONSUME}`;
    return fetch(log, { ...conditions, sql }, resolved, limit, offset);
  }
  if (!mayFail(filter))
    return walk(linesAlone(log, conditions), hoursOfLines(log, resolved), resolved, offset, limit);
  const hours = mergeHours(hoursOfLines(log, resolved), failureHours(log, failed, resolved));
  return walk(linesAndFailures(log, conditions, failed), hours, resolved, offset, limit);
};

const searchContent = async (
  log: SqlRunner,
  beginsWith: (column: string) => string,
  keyword: string,
  beginnings: readonly string[],
  limit: number,
): Promise<StoredLog[]> => {
  const resolved = await resolveFilter(log, {}, true);
  if (!resolved) return [];
  const contents = await log.all<{ id: number }>(
    `SELECT id FROM contents WHERE (${beginsWith("text")} AND substr(text, 1, ${PHRASES_BEGIN.length}) <> ?)
     ${`OR ${beginsWith("text")} `.repeat(beginnings.length)}`,
    likePrefix(keyword),
    PHRASES_BEGIN,
    ...beginnings.map(likePrefix),
  );
  const ofContents = log.isOneOf(
    "content_id",
    contents.map(({ id }) => id),
  );
  const hours = await log.all<LineHour>(
    `SELECT hour, sum(lines) AS lines FROM content_hours WHERE ${ofContents.sql} AND hour > ?
     GROUP BY hour ORDER BY hour DESC`,
    ...ofContents.parameters,
    resolved.from - HOUR_SECONDS,
  );
  return walk(linesAlone(log, { ...ofContents, sql: ` AND ${ofContents.sql}` }), hours, resolved, 0, limit);
};

/**
 * Log lines, the newest first. The sums find a page: they hold the number of matching lines in each hour, so that
 * neither a late page nor a rare name leads through the whole table.
 * @param like the engine's operator for a prefix, letters of ASCII in either case.
 */
export const logLineReads = (
  inSnapshot: InSnapshot,
  like: "LIKE" | "ILIKE",
): Omit<LineQueries, "sorted"> => ({
  page: (filter, offset, limit) => inSnapshot((log) => page(log, filter, offset, limit)),

  after: (filter, last, limit) => inSnapshot((log) => page(log, filter, 0, limit, last)),

  search: (keyword, beginnings, userId, limit) =>
    inSnapshot(async (log) => {
      const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : undefined;
      const found = new Map<string, StoredLog>();
      const add = (lines: StoredLog[]): void => {
        for (const line of lines) found.set(`${line.id} ${line.requestId}`, line);
      };
      const ofUser = userId === undefined ? {} : { userId };
      if (type !== undefined) add(await page(log, { type, ...ofUser }, 0, limit));
      if (userId === undefined) {
        const beginsWith = (column: string): string => `${column} ${like} ? ESCAPE '\\'`;
        add(await searchContent(log, beginsWith, keyword, beginnings, limit));
      }
      return [...found.values()].sort(byTime).slice(0, limit);
    }),
});
