import type { LogFilter, StoredLog } from "@tollgate/contract/api/logs";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { decodeLogContent, PHRASES_BEGIN } from "../../outbox/log-content";
import { likePrefix } from "../../sql/like-prefix";
import type { InSnapshot, SqlPart, SqlRunner } from "../../sql/sql-runner";
import { HOUR_SECONDS } from "../hours";
import type { LineQueries } from "../ports";
import { type LineHour, lineHours } from "./line-hours";
import { lineConditions, type ResolvedFilter, resolveFilter } from "./resolve-filter";

interface LineRow {
  id: number;
  user_id: number;
  created_at: number;
  type: number;
  content: string | null;
  username: string;
  token_name: string;
  model_name: string | null;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  channel_id: number;
  is_stream: number;
  duration_ms: number;
  request_id: string | null;
}

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
});

/** The last line of a page. */
type LastLine = Pick<StoredLog, "id" | "createdAt">;

const byTime = (a: StoredLog, b: StoredLog): number => b.createdAt - a.createdAt || b.id - a.id;

/** Where lines are looked for: between two moments, both inclusive, and there in certain hours only. */
interface Place {
  from: number;
  to: number;
  /** undefined for all of them. */
  hours?: readonly number[];
}

/** The lines of a place, as a table, which the engine reads hour by hour where it names hours. */
const linesOf = (log: SqlRunner, { sql, parameters }: SqlPart, { from, to, hours }: Place): SqlPart => {
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
  place: Place,
  limit: number,
  offset: number,
): Promise<StoredLog[]> => {
  const lines = linesOf(log, conditions, place);
  const rows = await log.all<LineRow>(
    `SELECT line.id, line.user_id, line.created_at, line.type, contents.text AS content, payers.username,
       payers.token_name, models.name AS model_name, line.quota, line.prompt_tokens, line.completion_tokens,
       line.channel_id, line.is_stream, line.duration_ms, receipts.request_id
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
    place.from,
    place.to,
  );
  return rows.map(toLog);
};

const countLines = async (
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

/** The place that hours make up: where they follow on each other, the time between the first and the last. */
const placeOf = (hours: readonly number[], { from, to }: Pick<ResolvedFilter, "from" | "to">): Place => {
  const [newest = 0] = hours;
  const oldest = hours.at(-1) ?? 0;
  const place = { from: Math.max(oldest, from), to: Math.min(newest + HOUR_SECONDS - 1, to) };
  return newest - oldest === (hours.length - 1) * HOUR_SECONDS ? place : { ...place, hours };
};

/**
 * Goes through hours until there are enough lines for the page, and looks for these. Where only a part of an hour is asked for,
 * its lines are counted if some are to be skipped, and count for nothing else.
 */
const walk = async (
  log: SqlRunner,
  hours: AsyncIterable<LineHour> | Iterable<LineHour>,
  conditions: SqlPart,
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
    const place = placeOf([hour], range);
    const isWhole = place.to - place.from === HOUR_SECONDS - 1;
    let count = isWhole ? lines : 0;
    if (chosen.length === 0 && skip > 0) {
      if (!isWhole) count = await countLines(log, conditions, place);
      if (count <= skip) {
        skip -= count;
        continue;
      }
    }
    chosen.push(hour);
    found += count;
    if (found >= skip + limit) break;
  }
  return chosen.length === 0 ? [] : fetch(log, conditions, placeOf(chosen, range), limit, skip);
};

/** @param last the line before; undefined for what no line is before. */
const page = async (
  log: SqlRunner,
  filter: LogFilter,
  offset: number,
  limit: number,
  last?: LastLine,
): Promise<StoredLog[]> => {
  const resolved = await resolveFilter(log, filter, true);
  if (!resolved) return [];
  const conditions = lineConditions(log, resolved);
  if (last) {
    resolved.to = Math.min(resolved.to, last.createdAt);
    conditions.sql += " AND (logs.created_at < ? OR logs.id < ?)";
    conditions.parameters.push(last.createdAt, last.id);
  }
  if (resolved.type !== undefined && resolved.type !== LOG_CONSUME) {
    // Lines about accounts are few and have indexes of their own.
    const sql = `${conditions.sql} AND type <> ${LOG_CONSUME}`;
    return fetch(log, { ...conditions, sql }, resolved, limit, offset);
  }
  return walk(log, lineHours(log, resolved), conditions, resolved, offset, limit);
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
  return walk(log, hours, { ...ofContents, sql: ` AND ${ofContents.sql}` }, resolved, 0, limit);
};

/**
 * Log lines, the newest first. A page is found through the sums: they say in which hours there are how many lines of
 * what is asked for, so that neither a late page nor a rare name leads through the whole table.
 * @param like how the engine asks for a beginning, letters of ASCII in either case.
 */
export const logLineReads = (inSnapshot: InSnapshot, like: "LIKE" | "ILIKE"): LineQueries => ({
  page: (filter, offset, limit) => inSnapshot((log) => page(log, filter, offset, limit)),

  after: (filter, last, limit) => inSnapshot((log) => page(log, filter, 0, limit, last)),

  search: (keyword, beginnings, userId, limit) =>
    inSnapshot(async (log) => {
      const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : undefined;
      const found = new Map<number, StoredLog>();
      const add = (lines: StoredLog[]): void => {
        for (const line of lines) found.set(line.id, line);
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
