import type { LogFilter } from "@tollgate/contract/control/log";
import {
  encodeUsagePoint,
  type UsageGrouping,
  type UsagePoint,
  type UsageStep,
} from "@tollgate/contract/control/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Connection } from "../dialects/sqlite";
import { DAY_SECONDS, dayOf, HOUR_SECONDS, hourOf } from "./hours";
import { NO_MODEL } from "./line-writer";
import {
  type Conditions,
  END_OF_TIME,
  hasSubject,
  MANY_PAYERS,
  type Narrowed,
  narrow,
  subjectConditions,
} from "./narrow";
import { spentSince } from "./spent-since";
import { SUM_COLUMNS } from "./usage-sums";

/** What a sum is asked of. */
export interface UsageQuery {
  filter: LogFilter;
  step: UsageStep;
  by: UsageGrouping;
  /** Of the caller's clock from UTC. */
  offsetMinutes: number;
}

const SUMS = `sum(requests) AS requests, sum(errors) AS errors, sum(prompt_tokens) AS promptTokens,
  sum(completion_tokens) AS completionTokens, sum(quota) AS quota, sum(duration_ms) AS durationMs,
  sum(first_byte_ms) AS firstByteMs, sum(streams) AS streams`;

const ROWS = `hour, payer_id, model_id, channel_id, requests, errors, prompt_tokens, completion_tokens, quota,
  duration_ms, first_byte_ms, streams`;

/** The sums of ROWS' columns, under the same names. */
const GROUPED = SUM_COLUMNS.filter((column) => column !== "lines")
  .map((column) => `sum(${column}) AS ${column}`)
  .join(", ");

const EMPTY: Conditions = { sql: "", parameters: [] };

const payerConditions = ({ payerIds }: Narrowed): Conditions =>
  payerIds === undefined
    ? EMPTY
    : { sql: " AND payer_id IN (SELECT value FROM json_each(?))", parameters: [JSON.stringify(payerIds)] };

/**
 * Rows of the site's sums, for whole hours. What is not told apart is added up in the order of the table, which needs no
 * sorting.
 */
const fromSiteHours = (narrowed: Narrowed, by: Span["by"], first: number, end: number): Conditions => {
  const subject = subjectConditions(narrowed);
  const where = `WHERE hour >= ? AND hour < ? AND model_id <> ${NO_MODEL}${subject.sql}`;
  const parameters = [first, end, ...subject.parameters];
  if (by === "channel" || by === "total") {
    return {
      sql: `SELECT ${ROWS.replace("payer_id", "0 AS payer_id")} FROM site_hours ${where}`,
      parameters,
    };
  }
  const keys = by === "model" ? "hour, model_id" : "hour";
  const model = by === "model" ? "model_id" : "1 AS model_id";
  return {
    sql: `SELECT hour, 0 AS payer_id, ${model}, 0 AS channel_id, ${GROUPED} FROM site_hours ${where} GROUP BY ${keys}`,
    parameters,
  };
};

/** Days (UTC) with sums, named one by one, so that each day's rows of a payer are found by their key. */
const dayList = (connection: Connection, first: number, end: number): string => {
  const bounds = connection
    .prepare("SELECT (SELECT min(day) FROM payer_hours) AS first, (SELECT max(day) FROM payer_hours) AS last")
    .get() as { first: number | null; last: number | null };
  const list: number[] = [];
  const last = Math.min(bounds.last ?? -1, dayOf(end));
  for (let day = Math.max(bounds.first ?? 0, dayOf(first)); day <= last; day += 1) list.push(day);
  return JSON.stringify(list);
};

/** Where to look for the payers' sums of whole hours. */
const payerHoursConditions = (
  connection: Connection,
  narrowed: Narrowed,
  first: number,
  end: number,
): Conditions => {
  const subject = subjectConditions(narrowed);
  const payers = payerConditions(narrowed);
  const hasFew = narrowed.payerIds !== undefined && narrowed.payerIds.length <= MANY_PAYERS;
  const days: Conditions = hasFew
    ? {
        sql: "day IN (SELECT value FROM json_each(?))",
        parameters: [dayList(connection, first, end)],
      }
    : { sql: "day >= ? AND day <= ?", parameters: [dayOf(first), dayOf(end)] };
  return {
    sql: `${days.sql}${payers.sql} AND hour >= ? AND hour < ?${subject.sql}`,
    parameters: [...days.parameters, ...payers.parameters, first, end, ...subject.parameters],
  };
};

/**
 * Rows of the payers' sums, each payer's day added up in the order of the table, which needs no sorting. A day of the
 * caller's clock ends within one of the table's: each of these is read in two halves.
 */
const fromPayerDays = (where: Conditions, offsetSeconds: number): Conditions => {
  const midnight = ((-offsetSeconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  const half = (condition: string): string =>
    `SELECT min(hour) AS hour, payer_id, 1 AS model_id, 0 AS channel_id, ${GROUPED} FROM payer_hours
     WHERE ${where.sql} AND hour - day * ${DAY_SECONDS} ${condition} ${midnight} GROUP BY day, payer_id`;
  if (midnight === 0) return { sql: half(">="), parameters: where.parameters };
  return {
    sql: `${half("<")} UNION ALL ${half(">=")}`,
    parameters: [...where.parameters, ...where.parameters],
  };
};

/** Rows of the payers' sums by hour; those of models and channels where they matter. */
const fromPayerHours = (where: Conditions, isDetailed: boolean): Conditions => ({
  sql: isDetailed
    ? `SELECT ${ROWS} FROM detail_hours WHERE ${where.sql}`
    : `SELECT ${ROWS.replace("model_id, channel_id", "1 AS model_id, 0 AS channel_id")} FROM payer_hours
       WHERE ${where.sql}`,
  parameters: where.parameters,
});

/** The same rows out of lines and failed requests, for a part of an hour. */
const fromLines = (narrowed: Narrowed, from: number, to: number): Conditions => {
  const subject = subjectConditions(narrowed);
  const payers = payerConditions(narrowed);
  const user: Conditions =
    narrowed.userId === undefined ? EMPTY : { sql: " AND user_id = ?", parameters: [narrowed.userId] };
  const hour = `created_at - created_at % ${HOUR_SECONDS} AS hour`;
  return {
    sql: `SELECT ${hour}, payer_id, model_id, channel_id, 1 AS requests, 0 AS errors, prompt_tokens, completion_tokens,
        quota, duration_ms, CASE WHEN is_stream = 1 THEN first_byte_ms ELSE 0 END AS first_byte_ms, is_stream AS streams
      FROM logs WHERE created_at >= ? AND created_at <= ? AND type = ${LOG_CONSUME}${user.sql}${payers.sql}${subject.sql}
      UNION ALL
      SELECT ${hour}, payer_id, model_id, channel_id, 0, 1, 0, 0, 0, 0, 0, 0
      FROM receipts WHERE log_id = 0 AND is_error = 1 AND created_at >= ? AND created_at <= ?${payers.sql}${subject.sql}`,
    parameters: [
      from,
      to,
      ...user.parameters,
      ...payers.parameters,
      ...subject.parameters,
      from,
      to,
      ...payers.parameters,
      ...subject.parameters,
    ],
  };
};

const KEYS: Record<UsageGrouping, string> = {
  none: "0",
  model: "model_id",
  channel: "channel_id",
  token: "payers.token_id",
  user: "payers.user_id",
};

/** How rows are to be added up. */
interface Span {
  /** "total" is one sum over all of it. */
  by: UsageGrouping | "total";
  step: UsageStep;
  offsetSeconds: number;
}

const WHOLE: Span = { by: "total", step: "day", offsetSeconds: 0 };

/** Sums over the log: from the sums that are kept by the hour, and from lines where a range ends within an hour. */
export const usageReads = (connection: Connection, main: Connection) => {
  /** Sums of whole hours, from the smallest table that tells enough apart. */
  const fromWholeHours = (narrowed: Narrowed, span: Span, first: number, end: number): Conditions => {
    const { by, step, offsetSeconds } = span;
    const isOfPayers = by === "token" || by === "user" || narrowed.payerIds !== undefined;
    if (!isOfPayers) return fromSiteHours(narrowed, by, first, end);
    const where = payerHoursConditions(connection, narrowed, first, end);
    const isDetailed = by === "model" || by === "channel" || hasSubject(narrowed);
    return step === "day" && by !== "total" && !isDetailed
      ? fromPayerDays(where, offsetSeconds)
      : fromPayerHours(where, isDetailed);
  };

  /** Everything that the filter leaves, as rows whose hour lies in the span that they belong to. */
  const rowsOf = (narrowed: Narrowed, span: Span, now: number): Conditions => {
    const { from } = narrowed;
    // What ends now or later has no end.
    const to = narrowed.to >= now ? END_OF_TIME : narrowed.to;
    const first = hourOf(from) === from ? from : hourOf(from) + HOUR_SECONDS;
    const end = hourOf(to + 1);
    const parts: Conditions[] = [];
    if (first < end) {
      if (from < first) parts.push(fromLines(narrowed, from, first - 1));
      parts.push(fromWholeHours(narrowed, span, first, end));
      if (end <= to && to !== END_OF_TIME) parts.push(fromLines(narrowed, end, to));
    } else parts.push(fromLines(narrowed, from, to));
    return {
      sql: parts.map(({ sql }) => `SELECT * FROM (${sql})`).join("\nUNION ALL\n"),
      parameters: parts.flatMap(({ parameters }) => parameters),
    };
  };

  const namesOf = (by: UsageGrouping): ((key: number) => string) => {
    if (by === "none") return () => "";
    const table = new Map<number, string>();
    const rows =
      by === "model"
        ? connection.prepare("SELECT id, name FROM models").all()
        : by === "channel"
          ? main.prepare("SELECT id, name FROM channels").all()
          : connection
              .prepare(
                `SELECT ${by}_id AS id, ${by === "user" ? "username" : "token_name"} AS name FROM payers ORDER BY id`,
              )
              .all();
    // The last one wins: the newest name.
    for (const row of rows as { id: number; name: string }[]) table.set(row.id, row.name);
    return (key) => table.get(key) ?? "";
  };

  const points = ({ filter, step, by, offsetMinutes }: UsageQuery, now: number): UsagePoint[] => {
    const narrowed = narrow(connection, filter, false);
    if (!narrowed) return [];
    const isOfPayers = by === "token" || by === "user";
    const offset = offsetMinutes * 60;
    const { sql, parameters } = rowsOf(narrowed, { by, step, offsetSeconds: offset }, now);
    const time =
      step === "hour" ? "hour" : `((hour + ${offset}) / ${DAY_SECONDS}) * ${DAY_SECONDS} - ${offset}`;
    const rows = connection
      .prepare(
        `SELECT ${time} AS time, ${KEYS[by]} AS key, ${SUMS}
           FROM (${sql}) AS part${isOfPayers ? " JOIN payers ON payers.id = part.payer_id" : ""}
           GROUP BY 1, 2 HAVING sum(requests) + sum(errors) > 0 ORDER BY 1, quota DESC, 2`,
      )
      .all(...parameters) as (Omit<UsagePoint, "key" | "name"> & { key: number })[];
    const nameOf = namesOf(by);
    return rows.map((row) => {
      const name = nameOf(row.key);
      // A model is known by its name, everything else by its number.
      const key = by === "none" || by === "model" ? name : String(row.key);
      return { ...row, key, name };
    });
  };

  return {
    /** @see spentSince */
    spentSince: (dayStart: number, monthStart: number) => spentSince(connection, dayStart, monthStart),

    /**
     * The quota that the lines of the filter say (contract section 1.9): nothing of what was cleared.
     * @param now unix seconds.
     */
    consumedQuota(filter: LogFilter, now: number): number {
      if (filter.type !== undefined && filter.type !== LOG_CONSUME) return 0;
      const narrowed = narrow(connection, filter, true);
      if (!narrowed) return 0;
      const { sql, parameters } = rowsOf(narrowed, WHOLE, now);
      const row = connection.prepare(`SELECT sum(quota) AS quota FROM (${sql})`).get(...parameters);
      return (row as { quota: number | null }).quota ?? 0;
    },

    /**
     * Sums per span of time and, as asked for, per model, token, channel or user, ordered by time.
     * @param now unix seconds.
     */
    points,

    /** The same as JSON of the wire, so that nothing of a long answer is made on the thread that relays. */
    pointsJson: (query: UsageQuery, now: number): string =>
      JSON.stringify(points(query, now).map(encodeUsagePoint)),
  };
};
