import { type LogFilter, type LogSort, MAX_SORTED_LINES, type StoredLog } from "@tollgate/contract/api/logs";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import type { InSnapshot, SqlPart, SqlRunner } from "../../sql/sql-runner";
import type { LineQueries } from "../ports";
import { countFailures, failureConditions, mayFail } from "./failure-lines";
import { countLines, type LineKey, linesOf, page, readLines, spanOfHours } from "./log-lines";
import { hoursOfLines } from "./outcome-hours";
import { lineConditions, narrowToOutcome, type ResolvedFilter, resolveFilter } from "./resolve-filter";

const OF_PAYER = (column: string) => `(SELECT lower(${column}) FROM payers WHERE payers.id = payer_id)`;
const OF_MODEL = "coalesce((SELECT lower(name) FROM models WHERE models.id = model_id), '')";
const OF_TEXT = "coalesce((SELECT text FROM contents WHERE contents.id = content_id), '')";

/** The value of a line and of a failure in a column; a failure without one comes last. */
const VALUES: Readonly<
  Record<Exclude<LogSort, "created_at">, { line: string; failure: string | undefined }>
> = {
  channel: { line: "channel_id", failure: "channel_id" },
  username: { line: OF_PAYER("username"), failure: OF_PAYER("username") },
  token_name: { line: OF_PAYER("token_name"), failure: OF_PAYER("token_name") },
  type: { line: "type", failure: String(LOG_ERROR) },
  model_name: { line: OF_MODEL, failure: OF_MODEL },
  prompt_tokens: { line: "prompt_tokens", failure: undefined },
  completion_tokens: { line: "completion_tokens", failure: undefined },
  quota: { line: "quota", failure: undefined },
  duration_ms: { line: "duration_ms", failure: undefined },
  first_byte_ms: { line: "first_byte_ms", failure: undefined },
  // Unknown counts are less than none.
  cached_tokens: { line: "coalesce(cache_read_tokens, -1)", failure: undefined },
  cache_write_tokens: { line: "coalesce(cache_write_tokens, -1)", failure: undefined },
  content: { line: OF_TEXT, failure: undefined },
};

/** Lines and failures that a filter leaves. */
interface Left {
  lines: SqlPart;
  /** undefined where the filter leaves none. */
  failures: SqlPart | undefined;
  range: ResolvedFilter;
}

const leave = async (log: SqlRunner, asked: LogFilter): Promise<Left | undefined> => {
  const filter = narrowToOutcome(asked);
  const range = filter && (await resolveFilter(log, filter, true));
  if (!range) return undefined;
  return {
    lines: lineConditions(log, range),
    failures: mayFail(filter) ? failureConditions(log, range, filter.requestId) : undefined,
    range,
  };
};

/** Counts the lines of a filter by the sums of whole hours. @param most counting ends above it. */
const countLeft = async (log: SqlRunner, { lines, failures, range }: Left, most: number): Promise<number> => {
  const { type } = range;
  let count = failures === undefined ? 0 : await countFailures(log, failures, range);
  if (type === LOG_ERROR || count > most) return count;
  if (type !== undefined && type !== LOG_CONSUME) {
    // Lines about accounts are few and have indexes of their own.
    const ofAccounts = { ...lines, sql: `${lines.sql} AND type <> ${LOG_CONSUME}` };
    return count + (await countLines(log, ofAccounts, range));
  }
  for await (const { hour, lines: ofHour } of hoursOfLines(log, range)) {
    const { span, isWhole } = spanOfHours([hour], range);
    count += isWhole ? ofHour : await countLines(log, lines, span);
    if (count > most) break;
  }
  return count;
};

/** The oldest first: the list of the newest first from its end. */
const oldestFirst = async (
  log: SqlRunner,
  filter: LogFilter,
  offset: number,
  limit: number,
): Promise<StoredLog[]> => {
  const left = await leave(log, filter);
  if (!left) return [];
  const isOfRequest = filter.requestId !== undefined;
  const count = isOfRequest
    ? (await page(log, filter, 0, MAX_SORTED_LINES)).length
    : await countLeft(log, left, Number.POSITIVE_INFINITY);
  const end = count - offset;
  if (end <= 0) return [];
  const begin = Math.max(0, end - limit);
  return (await page(log, filter, begin, end - begin)).reverse();
};

/** One page by the value of a column; equal ones the newest first. */
const byValue = async (
  log: SqlRunner,
  { lines, failures, range }: Left,
  { column, isDescending }: ListSort<Exclude<LogSort, "created_at">>,
  offset: number,
  limit: number,
): Promise<StoredLog[]> => {
  const { line, failure } = VALUES[column];
  const found = linesOf(log, lines, range);
  const parts = [
    `SELECT created_at, id, '' AS request_id, 0 AS has_none, ${line} AS value FROM (${found.sql}) AS logs`,
  ];
  const parameters = [...found.parameters];
  if (failures !== undefined) {
    // A value of the same kind: engines compare no number with a text.
    const value = failure ?? (column === "content" ? "''" : "0");
    parts.push(
      `SELECT first_at AS created_at, 0 AS id, request_id, ${failure === undefined ? 1 : 0} AS has_none, ${value} AS value
       FROM failures WHERE first_at >= ? AND first_at <= ?${failures.sql}`,
    );
    parameters.push(range.from, range.to, ...failures.parameters);
  }
  const keys = await log.all<LineKey>(
    `SELECT created_at, id, request_id FROM (${parts.join(" UNION ALL ")}) AS line
     ORDER BY has_none, value ${isDescending ? "DESC" : "ASC"}, created_at DESC, id DESC, request_id DESC
     LIMIT ? OFFSET ?`,
    ...parameters,
    limit,
    offset,
  );
  const order = new Map(keys.map(({ id, request_id }, index) => [id === 0 ? request_id : id, index]));
  const placeIn = ({ id, requestId }: StoredLog) => order.get(id === 0 ? requestId : id) ?? 0;
  return (await readLines(log, keys)).sort((a, b) => placeIn(a) - placeIn(b));
};

/** Pages of the log in any order that people may ask for. */
export const sortedLineReads = (inSnapshot: InSnapshot): Pick<LineQueries, "sorted"> => ({
  sorted: (filter, sort, offset, limit) =>
    inSnapshot(async (log) => {
      const { column, isDescending } = sort;
      if (column === "created_at")
        return isDescending ? page(log, filter, offset, limit) : oldestFirst(log, filter, offset, limit);
      const left = await leave(log, filter);
      if (!left) return [];
      if (filter.requestId !== undefined) {
        // A request has a line or two, whose order is of no use.
        return page(log, filter, offset, limit);
      }
      if ((await countLeft(log, left, MAX_SORTED_LINES)) > MAX_SORTED_LINES) return undefined;
      return byValue(log, left, { column, isDescending }, offset, limit);
    }),
});
