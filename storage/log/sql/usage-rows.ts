import type { UsageGrouping, UsageStep } from "@tollgate/contract/api/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { SqlPart, SqlRunner } from "../../sql/sql-runner";
import { BUCKET_SECONDS, DAY_SECONDS, dayOf, HOUR_SECONDS, hourOf } from "../hours";
import { BLOCK_TABLES, type BlockKey, type BlockTable, blockOf } from "./blocks";
import { nameTable } from "./key-names";
import { daysWithSums } from "./line-hours";
import { readState } from "./log-state";
import { IS_REQUEST } from "./no-request";
import {
  END_OF_TIME,
  hasSubject,
  MANY_PAYERS,
  payerConditions,
  type ResolvedFilter,
  type SharedName,
  siteTable,
  subjectConditions,
} from "./resolve-filter";
import { type SumColumn, USAGE_COLUMNS } from "./sum-columns";

/** How rows are to be added up. */
export interface Span {
  by: UsageGrouping | "channel_model";
  /** "range" is one sum over all of it. */
  step: UsageStep | "range";
  /** Of the caller's clock from UTC. */
  offsetSeconds: number;
  /** Columns to add up; by default those of usage. */
  columns?: readonly SumColumn[];
}

/** A range of whole hours, its end excluded; unix seconds. */
interface Hours {
  first: number;
  end: number;
}

/** Key columns of a row, besides its hour. */
const KEYS = ["payer_id", "model_id", "channel_id"] as const satisfies readonly BlockKey[];

const summedOf = ({ columns: wanted = USAGE_COLUMNS }: Span): string => wanted.join(", ");
const groupedOf = ({ columns: wanted = USAGE_COLUMNS }: Span): string =>
  wanted.map((column) => `sum(${column}) AS ${column}`).join(", ");

const EMPTY: SqlPart = { sql: "", parameters: [] };

const isByPayer = ({ by }: Span): boolean => by === "token" || by === "user";
const isOfPayers = ({ payerIds }: ResolvedFilter, span: Span): boolean =>
  isByPayer(span) || payerIds !== undefined;
const hasModel = ({ modelId }: ResolvedFilter, { by }: Span): boolean =>
  by === "model" || by === "channel_model" || modelId !== undefined;
const hasChannel = ({ channelId }: ResolvedFilter, { by }: Span): boolean =>
  by === "channel" || by === "channel_model" || channelId !== undefined;

/** Selects a row's columns; keys that the table lacks are 0. */
const columns = (hour: string, keys: readonly BlockKey[], sums: string): string =>
  [hour, ...KEYS.map((key) => (keys.includes(key) ? key : `0 AS ${key}`)), sums].join(", ");

/** Whether each payer's sums are looked up. */
const hasFew = ({ payerIds }: ResolvedFilter): boolean =>
  payerIds !== undefined && payerIds.length <= MANY_PAYERS;

const each = (first: number, end: number, size: number): number[] => {
  const list: number[] = [];
  for (let one = first; one < end; one += size) list.push(one);
  return list;
};

/** All users' sums of whole hours, from the smallest table that has the required keys. */
const fromSite = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: Span,
  { first, end }: Hours,
): Promise<SqlPart> => {
  const keys: BlockKey[] = [];
  if (hasModel(resolved, span)) keys.push("model_id");
  if (hasChannel(resolved, span)) keys.push("channel_id");
  const table = await siteTable(log, hasModel(resolved, span), hasChannel(resolved, span));
  const subject = subjectConditions(resolved);
  return {
    sql: `SELECT ${columns("hour", keys, summedOf(span))} FROM ${table} WHERE hour >= ? AND hour < ?${subject.sql}`,
    parameters: [first, end, ...subject.parameters],
  };
};

/** Read first, to decide which tables have the required sums. */
interface Extent {
  /** The first and the last day (UTC) with sums. */
  first: number;
  last: number;
  /** Hours of before this moment (unix seconds) are in the tables of blocks. */
  blocksUntil: number;
}

/** The begin of the caller's day within a day of the table's, as the hours know it: one that it cuts belongs to the day before. */
const midnightOf = ({ step, offsetSeconds }: Span): number => {
  if (step !== "day") return 0;
  const midnight = ((-offsetSeconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  return (Math.ceil(midnight / HOUR_SECONDS) * HOUR_SECONDS) % DAY_SECONDS;
};

/**
 * The payers' sums by the hour, each payer's day added up in the order of the table where days are asked for, which
 * needs no sorting. A day of the caller's clock ends within one of the table's: each of these is read in two halves.
 * @param only the buckets to which these hours are to belong; undefined for all of them.
 */
const fromPayerHours = (
  log: SqlRunner,
  extent: Extent,
  resolved: ResolvedFilter,
  span: Span,
  { first, end }: Hours,
  only?: readonly number[],
): SqlPart => {
  const isDetailed = hasModel(resolved, span) || hasChannel(resolved, span);
  const table = isDetailed ? "detail_hours" : "payer_hours";
  const payers = payerConditions(log, resolved);
  const subject = subjectConditions(resolved);
  const parameters = [...payers.parameters, first, end, ...subject.parameters];
  let rows = { sql: `${payers.sql} AND hour >= ? AND hour < ?${subject.sql}`, parameters };
  if (only) {
    rows = log.rowsOfEach(only, table, {
      sql: `day = each.value / ${DAY_SECONDS} AND hour >= each.value AND hour < each.value + ${BUCKET_SECONDS}${rows.sql}`,
      parameters,
    });
    rows.sql = `(${rows.sql}) AS part WHERE TRUE`;
  } else {
    // Named one by one, so that each day's rows of a payer are found by their key.
    const days = hasFew(resolved)
      ? log.isOneOf(
          "day",
          each(Math.max(dayOf(first), extent.first), Math.min(dayOf(end - 1), extent.last) + 1, 1),
        )
      : { sql: "day >= ? AND day <= ?", parameters: [dayOf(first), dayOf(end)] };
    rows = {
      sql: `${table} WHERE ${days.sql}${rows.sql}`,
      parameters: [...days.parameters, ...parameters],
    };
  }
  if (isDetailed) {
    return {
      sql: `SELECT ${columns("hour", KEYS, summedOf(span))} FROM ${rows.sql}`,
      parameters: rows.parameters,
    };
  }
  if (span.step === "hour") {
    return {
      sql: `SELECT ${columns("hour", ["payer_id"], summedOf(span))} FROM ${rows.sql}`,
      parameters: rows.parameters,
    };
  }
  const midnight = midnightOf(span);
  const half = (condition: string): string =>
    `SELECT ${columns("min(hour) AS hour", ["payer_id"], groupedOf(span))} FROM ${rows.sql}
       AND hour - day * ${DAY_SECONDS} ${condition} ${midnight} GROUP BY day, payer_id`;
  if (midnight === 0) return { sql: half(">="), parameters: rows.parameters };
  return {
    sql: `${half("<")} UNION ALL ${half(">=")}`,
    parameters: [...rows.parameters, ...rows.parameters],
  };
};

/** The bucket of each day (UTC) within which days of the caller's clock end, by its begin in the day; undefined for none. */
const cutBucket = (span: Span): number | undefined => {
  const midnight = midnightOf(span);
  return midnight % BUCKET_SECONDS === 0 ? undefined : blockOf(midnight, BUCKET_SECONDS);
};

/**
 * The payers' sums of whole blocks, added up in the order of the table where payers need not be told apart. Those in which a
 * span ends are left out.
 */
const fromBlocks = (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: Span,
  { table, block, seconds, keys }: BlockTable,
  { first, end }: Hours,
): SqlPart => {
  const cut = cutBucket(span);
  const payers = payerConditions(log, resolved);
  const subject = subjectConditions(resolved);
  let blocks: SqlPart = { sql: `${block} >= ? AND ${block} < ?`, parameters: [first, end] };
  if (cut !== undefined) blocks.sql += ` AND ${block} % ${DAY_SECONDS} <> ${cut}`;
  const isFew = hasFew(resolved);
  if (isFew || hasSubject(resolved)) {
    // Named one by one, so that each block's rows of a payer, or of a model or a channel, are found by their key.
    blocks = log.isOneOf(
      block,
      each(first, end, seconds).filter((begin) => begin % DAY_SECONDS !== cut),
    );
    if (keys.includes("model_id") && resolved.modelId === undefined) {
      blocks.sql += " AND model_id IN (SELECT id FROM models)";
    }
    if (isFew && keys.includes("channel_id") && resolved.channelId === undefined) {
      blocks.sql += " AND channel_id IN (SELECT DISTINCT channel_id FROM channel_hours)";
    }
  }
  const where = `FROM ${table} WHERE ${blocks.sql}${payers.sql}${subject.sql}`;
  const told = keys.filter((key) => key !== "payer_id");
  return {
    sql: isByPayer(span)
      ? `SELECT ${columns(`${block} AS hour`, keys, summedOf(span))} ${where}`
      : `SELECT ${columns(`${block} AS hour`, told, groupedOf(span))} ${where} GROUP BY ${[block, ...told].join(", ")}`,
    parameters: [...blocks.parameters, ...payers.parameters, ...subject.parameters],
  };
};

/** The tables of blocks that tell enough apart and in most of which no span ends, the largest blocks first. */
const blockTables = (resolved: ResolvedFilter, span: Span): BlockTable[] => {
  const isUsable = (seconds: number): boolean =>
    span.step === "range" || (span.step === "day" && seconds <= DAY_SECONDS);
  return BLOCK_TABLES.filter(
    ({ seconds, keys }) =>
      isUsable(seconds) &&
      keys.includes("model_id") === hasModel(resolved, span) &&
      keys.includes("channel_id") === hasChannel(resolved, span),
  ).sort((a, b) => b.seconds - a.seconds);
};

/** The payers' sums of whole hours: by blocks as far as these were added up, by the hour where they were not. */
const fromPayers = (
  log: SqlRunner,
  extent: Extent,
  resolved: ResolvedFilter,
  span: Span,
  hours: Hours,
): SqlPart[] => {
  const split = ({ first, end }: Hours, [largest, ...smaller]: BlockTable[]): SqlPart[] => {
    if (first >= end) return [];
    if (!largest) return [fromPayerHours(log, extent, resolved, span, { first, end })];
    const firstBlock = blockOf(first + largest.seconds - 1, largest.seconds);
    const endBlock = blockOf(Math.min(end, extent.blocksUntil), largest.seconds);
    if (firstBlock >= endBlock) return split({ first, end }, smaller);
    const whole = { first: firstBlock, end: endBlock };
    const cut = cutBucket(span);
    const cuts = each(firstBlock, endBlock, BUCKET_SECONDS).filter((begin) => begin % DAY_SECONDS === cut);
    return [
      ...split({ first, end: firstBlock }, smaller),
      fromBlocks(log, resolved, span, largest, whole),
      ...(cuts.length > 0 ? [fromPayerHours(log, extent, resolved, span, whole, cuts)] : []),
      ...split({ first: endBlock, end }, smaller),
    ];
  };
  const first = Math.max(hours.first, extent.first * DAY_SECONDS);
  return split({ first, end: hours.end }, blockTables(resolved, span));
};

/** The sums of a name that many keys have in common, of whole hours that were added up. */
const fromName = (
  log: SqlRunner,
  { id }: SharedName,
  resolved: ResolvedFilter,
  span: Span,
  { first, end }: Hours,
): SqlPart => {
  const { table, keys } = nameTable(hasModel(resolved, span), hasChannel(resolved, span));
  const subject = subjectConditions(resolved);
  // Named one by one, so that each hour's rows of a model are found by their key.
  const hours =
    resolved.modelId === undefined
      ? { sql: "hour >= ? AND hour < ?", parameters: [first, end] }
      : log.isOneOf("hour", each(first, end, HOUR_SECONDS));
  return {
    sql: `SELECT ${columns("hour", keys, summedOf(span))} FROM ${table} WHERE name_id = ? AND ${hours.sql}${subject.sql}`,
    parameters: [id, ...hours.parameters, ...subject.parameters],
  };
};

/** Sums of payers in whole hours: a shared name's own sums as far as there are any, the payers' for the rest. */
const fromNameOrPayers = (
  log: SqlRunner,
  extent: Extent,
  resolved: ResolvedFilter,
  span: Span,
  { first, end }: Hours,
): SqlPart[] => {
  const { sharedName } = resolved;
  const since = Math.max(first, extent.first * DAY_SECONDS, sharedName?.since ?? 0);
  const until = Math.min(end, extent.blocksUntil);
  if (sharedName === undefined || isByPayer(span) || since >= until)
    return fromPayers(log, extent, resolved, span, { first, end });
  return [
    ...fromPayers(log, extent, resolved, span, { first, end: since }),
    fromName(log, sharedName, resolved, span, { first: since, end: until }),
    ...fromPayers(log, extent, resolved, span, { first: until, end }),
  ];
};

const REQUESTS = `CASE WHEN ${IS_REQUEST} THEN 1 ELSE 0 END`;

/** Summands of a line, and of a failed request. */
const OF_LINE: Readonly<Record<SumColumn, readonly [line: string, failure: string]>> = {
  lines: ["1", "0"],
  requests: [REQUESTS, "0"],
  // The same failure within a minute has one receipt.
  errors: [
    "0",
    "coalesce((SELECT occurrences FROM failures WHERE failures.request_id = receipts.request_id), 1)",
  ],
  prompt_tokens: ["prompt_tokens", "0"],
  completion_tokens: ["completion_tokens", "0"],
  quota: ["quota", "0"],
  duration_ms: ["duration_ms", "0"],
  first_byte_ms: ["CASE WHEN is_stream = 1 THEN first_byte_ms ELSE 0 END", "0"],
  streams: ["is_stream", "0"],
  costed_requests: [`CASE WHEN cost IS NULL THEN 0 ELSE ${REQUESTS} END`, "0"],
  costed_quota: ["CASE WHEN cost IS NULL THEN 0 ELSE quota END", "0"],
  cost: ["coalesce(cost, 0)", "0"],
  // Not told apart where only some of an hour's requests are asked for.
  faults: ["0", "0"],
  cache_prompt_tokens: ["CASE WHEN cache_read_tokens IS NULL THEN 0 ELSE prompt_tokens END", "0"],
  cache_read_tokens: ["coalesce(cache_read_tokens, 0)", "0"],
  cache_write_tokens: ["coalesce(cache_write_tokens, 0)", "0"],
  named_answers: ["CASE WHEN is_other_model IS NULL THEN 0 ELSE 1 END", "0"],
  other_model_answers: ["coalesce(is_other_model, 0)", "0"],
};

/** The lines of a part of an hour. */
const ofLines = (log: SqlRunner, resolved: ResolvedFilter, from: number, to: number): SqlPart => {
  const subject = subjectConditions(resolved);
  const payers = payerConditions(log, resolved);
  const user: SqlPart =
    resolved.userId === undefined ? EMPTY : { sql: " AND user_id = ?", parameters: [resolved.userId] };
  return {
    sql: `FROM logs WHERE created_at >= ? AND created_at <= ? AND type = ${LOG_CONSUME}${user.sql}${payers.sql}${subject.sql}`,
    parameters: [from, to, ...user.parameters, ...payers.parameters, ...subject.parameters],
  };
};

/** The same rows out of lines and failed requests, for a part of an hour. */
const fromLines = (
  log: SqlRunner,
  resolved: ResolvedFilter,
  { columns: wanted = USAGE_COLUMNS }: Span,
  from: number,
  to: number,
): SqlPart => {
  const added = wanted.map((column) => `${OF_LINE[column][0]} AS ${column}`).join(", ");
  const failed = wanted.map((column) => OF_LINE[column][1]).join(", ");
  const lines = ofLines(log, resolved, from, to);
  const subject = subjectConditions(resolved);
  const payers = payerConditions(log, resolved);
  const hour = `created_at - created_at % ${HOUR_SECONDS} AS hour`;
  return {
    sql: `SELECT ${hour}, payer_id, model_id, channel_id, ${added}
      ${lines.sql}
      UNION ALL
      SELECT ${hour}, payer_id, model_id, channel_id, ${failed}
      FROM receipts WHERE log_id = 0 AND is_error = 1 AND created_at >= ? AND created_at <= ?${payers.sql}${subject.sql}`,
    parameters: [...lines.parameters, from, to, ...payers.parameters, ...subject.parameters],
  };
};

/**
 * The costs of attempts that ended in an hour of which only the beginning is asked for. They have no lines, so they are
 * the hour's sums less its lines, and count at its begin. Left out where requests have no lines, as after a clearing:
 * the difference would be the cost of these, without their revenue.
 */
const endedCosts = (log: SqlRunner, resolved: ResolvedFilter, span: Span, hour: number): SqlPart => {
  const { columns: wanted = USAGE_COLUMNS } = span;
  const isByKey = isOfPayers(resolved, span);
  const keys = [isByKey ? "payer_id" : "0 AS payer_id", "model_id", "channel_id"].join(", ");
  const lines = ofLines(log, resolved, hour, hour + HOUR_SECONDS - 1);
  const payers = payerConditions(log, resolved);
  const subject = subjectConditions(resolved);
  const found = wanted.map((column) => (column === "cost" ? "sum(cost) AS cost" : `0 AS ${column}`));
  return {
    sql: `SELECT ${hour} AS hour, payer_id, model_id, channel_id, ${found.join(", ")} FROM (
        SELECT ${keys}, costed_requests, cost
        FROM ${isByKey ? `detail_hours WHERE day = ${dayOf(hour)} AND` : "site_hours WHERE"} hour = ${hour}${payers.sql}${subject.sql}
        UNION ALL
        SELECT ${keys}, -(${OF_LINE.costed_requests[0]}), -(${OF_LINE.cost[0]}) ${lines.sql}
      ) AS compared GROUP BY payer_id, model_id, channel_id HAVING sum(costed_requests) = 0 AND sum(cost) > 0`,
    parameters: [...payers.parameters, ...subject.parameters, ...lines.parameters],
  };
};

/**
 * Everything that the filter leaves, as rows whose hour lies in the span that they belong to: from the sums, and from
 * lines where a range ends within an hour.
 * @param now unix seconds.
 */
export const usageRows = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: Span,
  now: number,
): Promise<SqlPart> => {
  const { from } = resolved;
  // A range that ends now or later has no end.
  const to = resolved.to >= now ? END_OF_TIME : resolved.to;
  const first = hourOf(from) === from ? from : hourOf(from) + HOUR_SECONDS;
  const end = hourOf(to + 1);
  const parts: SqlPart[] = [];
  if (first < end) {
    if (from < first) parts.push(fromLines(log, resolved, span, from, first - 1));
    const hours = { first, end };
    if (isOfPayers(resolved, span)) {
      const days = (await daysWithSums(log)) ?? { first: 0, last: -1 };
      const extent: Extent = { ...days, blocksUntil: await readState(log, "buckets-until") };
      parts.push(...fromNameOrPayers(log, extent, resolved, span, hours));
    } else parts.push(await fromSite(log, resolved, span, hours));
    if (end <= to && to !== END_OF_TIME) parts.push(fromLines(log, resolved, span, end, to));
  } else parts.push(fromLines(log, resolved, span, from, to));
  const isCut = from <= end && end <= to && to !== END_OF_TIME;
  if (isCut && span.columns?.includes("cost")) parts.push(endedCosts(log, resolved, span, end));
  // Whole hours of which no sum was kept: an empty part, because a query of none is no query.
  if (parts.length === 0) parts.push(fromLines(log, resolved, span, from, from - 1));
  return {
    sql: parts.map(({ sql }) => sql).join("\nUNION ALL\n"),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
};
