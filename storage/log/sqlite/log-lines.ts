import type { LogFilter, StoredLog } from "@tollgate/contract/management/log";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { decodeLogContent, PHRASES_BEGIN } from "../../outbox/log-content";
import { likePrefix } from "../../sql/like-prefix";
import type { Connection } from "../../sqlite/connection";
import { HOUR_SECONDS } from "../hours";
import { type LineHour, lineHours } from "./line-hours";
import { type Conditions, lineConditions, type ResolvedFilter, resolveFilter } from "./resolve-filter";

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

const byTime = (a: StoredLog, b: StoredLog): number => b.createdAt - a.createdAt || b.id - a.id;

/**
 * Log lines, the newest first. A page is found through the sums: they say in which hours there are how many lines of
 * what is asked for, so that neither a late page nor a rare name leads through the whole table.
 */
export const logLineReads = (connection: Connection) => {
  const fetch = (
    { sql, parameters }: Conditions,
    from: number,
    to: number,
    limit: number,
    offset: number,
  ): StoredLog[] => {
    const rows = connection
      .prepare(
        `SELECT line.id, line.user_id, line.created_at, line.type, contents.text AS content, payers.username,
           payers.token_name, models.name AS model_name, line.quota, line.prompt_tokens, line.completion_tokens,
           line.channel_id, line.is_stream, line.duration_ms, receipts.request_id
         FROM (SELECT * FROM logs WHERE created_at >= ? AND created_at <= ?${sql}
               ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) AS line
         JOIN payers ON payers.id = line.payer_id
         LEFT JOIN models ON models.id = line.model_id
         LEFT JOIN contents ON contents.id = line.content_id
         LEFT JOIN receipts ON receipts.id = line.receipt_id
         ORDER BY line.created_at DESC, line.id DESC`,
      )
      .all(from, to, ...parameters, limit, offset) as LineRow[];
    return rows.map(toLog);
  };

  const count = ({ sql, parameters }: Conditions, from: number, to: number): number => {
    const row = connection
      .prepare(`SELECT count(*) AS lines FROM logs WHERE created_at >= ? AND created_at <= ?${sql}`)
      .get(from, to, ...parameters);
    return (row as { lines: number }).lines;
  };

  /** Goes through hours until the page is full. Where only a part of an hour is asked for, its lines are counted. */
  const walk = (
    hours: Iterable<LineHour>,
    conditions: Conditions,
    range: Pick<ResolvedFilter, "from" | "to">,
    offset: number,
    limit: number,
  ): StoredLog[] => {
    const page: StoredLog[] = [];
    let skip = offset;
    for (const { hour, lines } of hours) {
      const from = Math.max(hour, range.from);
      const to = Math.min(hour + HOUR_SECONDS - 1, range.to);
      if (skip > 0) {
        const isWhole = to - from === HOUR_SECONDS - 1;
        const found = isWhole ? lines : count(conditions, from, to);
        if (found <= skip) {
          skip -= found;
          continue;
        }
      }
      if (lines > 0) page.push(...fetch(conditions, from, to, limit - page.length, skip));
      skip = 0;
      if (page.length >= limit) break;
    }
    return page;
  };

  const page = (filter: LogFilter, offset: number, limit: number): StoredLog[] => {
    const resolved = resolveFilter(connection, filter, true);
    if (!resolved) return [];
    const conditions = lineConditions(resolved);
    if (resolved.type !== undefined && resolved.type !== LOG_CONSUME) {
      // Lines about accounts are few and have indexes of their own.
      const sql = `${conditions.sql} AND type <> ${LOG_CONSUME}`;
      return fetch({ ...conditions, sql }, resolved.from, resolved.to, limit, offset);
    }
    return walk(lineHours(connection, resolved), conditions, resolved, offset, limit);
  };

  const searchContent = (keyword: string, beginnings: readonly string[], limit: number): StoredLog[] => {
    const resolved = resolveFilter(connection, {}, true);
    if (!resolved) return [];
    const contents = connection
      .prepare(
        `SELECT id FROM contents WHERE (text LIKE ? ESCAPE '\\' AND substr(text, 1, ${PHRASES_BEGIN.length}) <> ?)
         ${"OR text LIKE ? ESCAPE '\\' ".repeat(beginnings.length)}`,
      )
      .all(likePrefix(keyword), PHRASES_BEGIN, ...beginnings.map(likePrefix)) as { id: number }[];
    const ids = JSON.stringify(contents.map(({ id }) => id));
    const hours = connection
      .prepare(
        `SELECT hour, sum(lines) AS lines FROM content_hours
         WHERE content_id IN (SELECT value FROM json_each(?)) AND hour > ?
         GROUP BY hour ORDER BY hour DESC`,
      )
      .all(ids, resolved.from - HOUR_SECONDS) as LineHour[];
    const conditions = { sql: " AND content_id IN (SELECT value FROM json_each(?))", parameters: [ids] };
    return walk(hours, conditions, resolved, 0, limit);
  };

  return {
    page,

    search(
      keyword: string,
      beginnings: readonly string[],
      userId: number | undefined,
      limit: number,
    ): StoredLog[] {
      const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : undefined;
      const found = new Map<number, StoredLog>();
      const add = (logs: StoredLog[]): void => {
        for (const log of logs) found.set(log.id, log);
      };
      if (type !== undefined) add(page({ type, ...(userId === undefined ? {} : { userId }) }, 0, limit));
      if (userId === undefined) add(searchContent(keyword, beginnings, limit));
      return [...found.values()].sort(byTime).slice(0, limit);
    },
  };
};
