import type { LogFilter } from "@tollgate/contract/management/log";
import { encodeUsagePoint, type UsageGrouping, type UsagePoint } from "@tollgate/contract/management/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Connection } from "../../sqlite/connection";
import { inSnapshot } from "../../sqlite/in-transaction";
import { DAY_SECONDS } from "../hours";
import type { UsageQuery } from "../ports";
import { type ResolvedFilter, resolveFilter } from "./resolve-filter";
import { spentSince } from "./spent-since";
import { addUp, type KeyedSum, largestKeys, withRest } from "./usage-rest";
import { type Span, usageRows } from "./usage-rows";
import { SUM_COLUMNS } from "./usage-sums";

const SUMS = `sum(requests) AS requests, sum(errors) AS errors, sum(prompt_tokens) AS promptTokens,
  sum(completion_tokens) AS completionTokens, sum(quota) AS quota, sum(duration_ms) AS durationMs,
  sum(first_byte_ms) AS firstByteMs, sum(streams) AS streams`;

/** The same under the names of the tables. */
const ADDED_UP = SUM_COLUMNS.filter((column) => column !== "lines")
  .map((column) => `sum(${column}) AS ${column}`)
  .join(", ");

const KEYS: Record<UsageGrouping, string> = {
  none: "0",
  model: "model_id",
  channel: "channel_id",
  token: "payers.token_id",
  user: "payers.user_id",
};

const isOfPayers = (by: UsageGrouping): by is "token" | "user" => by === "token" || by === "user";

const timeOf = ({ step, offsetSeconds }: Span): string => {
  if (step === "range") return "0";
  if (step === "hour") return "hour";
  return `((hour + ${offsetSeconds}) / ${DAY_SECONDS}) * ${DAY_SECONDS} - ${offsetSeconds}`;
};

/** The names of channels, which the log knows by their numbers. */
export interface ChannelNames {
  all(): readonly { id: number; name: string }[];
}

/** Sums over the log: from the sums that are kept by the hour, and from lines where a range ends within an hour. */
export const usageReads = (connection: Connection, channels: ChannelNames) => {
  const namesOf = (by: UsageGrouping): ((key: number) => string) => {
    if (by === "none") return () => "";
    const table = new Map<number, string>();
    const rows =
      by === "model"
        ? connection.prepare("SELECT id, name FROM models").all()
        : by === "channel"
          ? channels.all()
          : connection
              .prepare(
                `SELECT ${by}_id AS id, ${by === "user" ? "username" : "token_name"} AS name FROM payers ORDER BY id`,
              )
              .all();
    // The last one wins: the newest name.
    for (const row of rows as { id: number; name: string }[]) table.set(row.id, row.name);
    return (key) => table.get(key) ?? "";
  };

  const sums = (resolved: ResolvedFilter, span: Span, now: number): KeyedSum[] => {
    const { sql, parameters } = usageRows(connection, resolved, span, now);
    const byPayer = `SELECT ${timeOf(span)} AS hour, payer_id, ${ADDED_UP} FROM (${sql}) AS part GROUP BY 1, 2`;
    const [time, from] = isOfPayers(span.by)
      ? ["hour", `(${byPayer}) AS part JOIN payers ON payers.id = part.payer_id`]
      : [timeOf(span), `(${sql}) AS part`];
    return connection
      .prepare(
        `SELECT ${time} AS time, ${KEYS[span.by]} AS key, ${SUMS} FROM ${from}
         GROUP BY 1, 2 HAVING sum(requests) + sum(errors) > 0 ORDER BY 1, quota DESC, 2`,
      )
      .all(...parameters) as KeyedSum[];
  };

  /** The filter, resolved further to the payers of some tokens or users. */
  const ofKeys = (
    resolved: ResolvedFilter,
    by: "token" | "user",
    keys: ReadonlySet<number>,
  ): ResolvedFilter => {
    const ids = connection
      .prepare(`SELECT id FROM payers WHERE ${by}_id IN (SELECT value FROM json_each(?)) ORDER BY id`)
      .all(JSON.stringify([...keys])) as { id: number }[];
    const payerIds = ids.map(({ id }) => id);
    const asked = resolved.payerIds && new Set(resolved.payerIds);
    return { ...resolved, payerIds: asked ? payerIds.filter((id) => asked.has(id)) : payerIds };
  };

  /** The largest payers' sums, and the rest: all of it less them, so that the sums of small ones need not be read. */
  const largestPayers = (
    resolved: ResolvedFilter,
    span: Span & { by: "token" | "user" },
    top: number,
    now: number,
  ): KeyedSum[] => {
    const totals = sums(resolved, { ...span, step: "range" }, now);
    const keys = largestKeys(totals, top);
    if (keys.size === totals.length) return sums(resolved, span, now);
    const chosen = sums(ofKeys(resolved, span.by, keys), span, now);
    const whole = sums(resolved, { ...span, by: "none" }, now);
    return withRest(chosen, whole, totals.length - keys.size);
  };

  /** The same of models and channels, which are few. */
  const largestSubjects = (resolved: ResolvedFilter, span: Span, top: number, now: number): KeyedSum[] => {
    const all = sums(resolved, span, now);
    const totals = addUp(all, ({ key }) => ({ time: 0, key }));
    const keys = largestKeys(totals, top);
    if (keys.size === totals.length) return all;
    const chosen = all.filter(({ key }) => keys.has(key));
    const whole = addUp(all, ({ time }) => ({ time, key: 0 }));
    return withRest(chosen, whole, totals.length - keys.size);
  };

  const largest = (resolved: ResolvedFilter, span: Span, top: number, now: number): KeyedSum[] => {
    const { by } = span;
    if (!isOfPayers(by)) return largestSubjects(resolved, span, top, now);
    return inSnapshot(connection, () => largestPayers(resolved, { ...span, by }, top, now));
  };

  const points = ({ filter, step, by, offsetMinutes, top }: UsageQuery, now: number): UsagePoint[] => {
    const resolved = resolveFilter(connection, filter, false);
    if (!resolved) return [];
    const span: Span = { by, step, offsetSeconds: offsetMinutes * 60 };
    const found =
      top === undefined || by === "none" ? sums(resolved, span, now) : largest(resolved, span, top, now);
    const nameOf = namesOf(by);
    return found.map((sum) => {
      if (sum.others !== undefined) return { ...sum, key: "", name: "" };
      const name = nameOf(sum.key);
      // A model is known by its name, everything else by its number.
      const key = by === "none" || by === "model" ? name : String(sum.key);
      return { ...sum, key, name };
    });
  };

  return {
    spentSince: (dayStart: number, monthStart: number) => spentSince(connection, dayStart, monthStart),

    consumedQuota(filter: LogFilter, now: number): number {
      if (filter.type !== undefined && filter.type !== LOG_CONSUME) return 0;
      const resolved = resolveFilter(connection, filter, true);
      if (!resolved) return 0;
      const span: Span = { by: "none", step: "range", offsetSeconds: 0 };
      const { sql, parameters } = usageRows(connection, resolved, span, now);
      const row = connection.prepare(`SELECT sum(quota) AS quota FROM (${sql})`).get(...parameters);
      return (row as { quota: number | null }).quota ?? 0;
    },

    points,

    pointsJson: (query: UsageQuery, now: number): string =>
      JSON.stringify(points(query, now).map(encodeUsagePoint)),
  };
};
