import type { LogFilter } from "@tollgate/contract/api/logs";
import { type UsageGrouping, type UsagePoint, usagePoint } from "@tollgate/contract/api/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { InSnapshot, SqlRunner } from "../../sql/sql-runner";
import { wholeSum } from "../../sql/whole-sum";
import { DAY_SECONDS } from "../hours";
import type { UsageQuery, UsedBy, UserUsage } from "../ports";
import { END_OF_TIME, type ResolvedFilter, resolveFilter } from "./resolve-filter";
import { spentSince } from "./spent-since";
import { USAGE_COLUMNS } from "./sum-columns";
import { addUp, type KeyedSum, largestKeys, withRest } from "./usage-rest";
import { type Span, usageRows } from "./usage-rows";

const SUMS = `sum(requests) AS requests, sum(errors) AS errors, ${wholeSum("prompt_tokens")} AS "promptTokens",
  ${wholeSum("completion_tokens")} AS "completionTokens", ${wholeSum("quota")} AS quota, ${wholeSum("duration_ms")} AS "durationMs",
  ${wholeSum("first_byte_ms")} AS "firstByteMs", sum(streams) AS streams`;

/** The same under the names of the tables. */
const ADDED_UP = USAGE_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");

const KEYS: Record<UsageGrouping, string> = {
  none: "0",
  model: "model_id",
  channel: "channel_id",
  token: "payers.token_id",
  user: "payers.user_id",
};

/** Selects the key of usage. */
type UsageSpan = Span & { by: UsageGrouping };

const isOfPayers = (by: UsageGrouping): by is "token" | "user" => by === "token" || by === "user";

/** The begin of the span in which an hour lies, in SQL. */
export const timeOf = ({ step, offsetSeconds }: Span): string => {
  if (step === "range") return "0";
  if (step === "hour") return "hour";
  return `((hour + ${offsetSeconds}) / ${DAY_SECONDS}) * ${DAY_SECONDS} - ${offsetSeconds}`;
};

interface Named {
  id: number;
  name: string;
}

/** The names of channels, which the log knows by their numbers. */
export interface ChannelNames {
  all(): readonly Named[] | Promise<readonly Named[]>;
}

const sums = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: UsageSpan,
  now: number,
): Promise<KeyedSum[]> => {
  const { sql, parameters } = await usageRows(log, resolved, span, now);
  const byPayer = `SELECT ${timeOf(span)} AS hour, payer_id, ${ADDED_UP} FROM (${sql}) AS part GROUP BY 1, 2`;
  const [time, from] = isOfPayers(span.by)
    ? ["hour", `(${byPayer}) AS part JOIN payers ON payers.id = part.payer_id`]
    : [timeOf(span), `(${sql}) AS part`];
  return log.all<KeyedSum>(
    `SELECT ${time} AS time, ${KEYS[span.by]} AS key, ${SUMS} FROM ${from}
     GROUP BY 1, 2 HAVING sum(requests) + sum(errors) > 0 ORDER BY 1, quota DESC, 2`,
    ...parameters,
  );
};

/** The filter, resolved further to the payers of some tokens or users. */
const ofKeys = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  by: "token" | "user",
  keys: ReadonlySet<number>,
): Promise<ResolvedFilter> => {
  const ofKey = log.isOneOf(`${by}_id`, [...keys]);
  const ids = await log.all<{ id: number }>(
    `SELECT id FROM payers WHERE ${ofKey.sql} ORDER BY id`,
    ...ofKey.parameters,
  );
  const payerIds = ids.map(({ id }) => id);
  const asked = resolved.payerIds && new Set(resolved.payerIds);
  return {
    ...resolved,
    sharedName: undefined,
    payerIds: asked ? payerIds.filter((id) => asked.has(id)) : payerIds,
  };
};

/** The largest payers' sums, and the rest: all of it less them, so that the sums of small ones need not be read. */
const largestPayers = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: Span & { by: "token" | "user" },
  top: number,
  now: number,
): Promise<KeyedSum[]> => {
  const totals = await sums(log, resolved, { ...span, step: "range" }, now);
  const keys = largestKeys(totals, top);
  if (keys.size === totals.length) return sums(log, resolved, span, now);
  const chosen = await sums(log, await ofKeys(log, resolved, span.by, keys), span, now);
  const whole = await sums(log, resolved, { ...span, by: "none" }, now);
  return withRest(chosen, whole, totals.length - keys.size);
};

/** The same of models and channels, which are few. */
const largestSubjects = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: UsageSpan,
  top: number,
  now: number,
): Promise<KeyedSum[]> => {
  const all = await sums(log, resolved, span, now);
  const totals = addUp(all, ({ key }) => ({ time: 0, key }));
  const keys = largestKeys(totals, top);
  if (keys.size === totals.length) return all;
  const chosen = all.filter(({ key }) => keys.has(key));
  const whole = addUp(all, ({ time }) => ({ time, key: 0 }));
  return withRest(chosen, whole, totals.length - keys.size);
};

const largest = (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: UsageSpan,
  top: number,
  now: number,
): Promise<KeyedSum[]> => {
  const { by } = span;
  return isOfPayers(by)
    ? largestPayers(log, resolved, { ...span, by }, top, now)
    : largestSubjects(log, resolved, span, top, now);
};

const namesOf = async (
  log: SqlRunner,
  channels: ChannelNames,
  by: UsageGrouping,
): Promise<(key: number) => string> => {
  if (by === "none") return () => "";
  const table = new Map<number, string>();
  const namesOfPayers = (column: string): string =>
    `SELECT ${by}_id AS id, ${column} AS name FROM payers ORDER BY payers.id`;
  const rows =
    by === "model"
      ? await log.all<Named>("SELECT id, name FROM models")
      : by === "channel"
        ? await channels.all()
        : await log.all<Named>(namesOfPayers(by === "user" ? "username" : "token_name"));
  // The last one wins: the newest name.
  for (const row of rows) table.set(row.id, row.name);
  return (key) => table.get(key) ?? "";
};

/** Sums over the log: from the sums that are kept by the hour, and from lines where a range ends within an hour. */
export const usageReads = (inSnapshot: InSnapshot, channels: ChannelNames) => {
  const points = ({ filter, step, by, offsetMinutes, top }: UsageQuery, now: number): Promise<UsagePoint[]> =>
    inSnapshot(async (log) => {
      const resolved = await resolveFilter(log, filter, false);
      if (!resolved) return [];
      const span: UsageSpan = { by, step, offsetSeconds: offsetMinutes * 60 };
      const found =
        top === undefined || by === "none"
          ? await sums(log, resolved, span, now)
          : await largest(log, resolved, span, top, now);
      const nameOf = await namesOf(log, channels, by);
      return found.map((sum) => {
        if (sum.others !== undefined) return { ...sum, key: "", name: "" };
        const name = nameOf(sum.key);
        // A model is known by its name, everything else by its number.
        const key = by === "none" || by === "model" ? name : String(sum.key);
        return { ...sum, key, name };
      });
    });

  return {
    ofUser: (userId: number, from: number, end: number): Promise<UserUsage> =>
      inSnapshot(async (log) => {
        const used = async (by: "none" | "model" | "token", startTimestamp: number, endTimestamp: number) => {
          if (endTimestamp < startTimestamp) return [];
          const resolved = await resolveFilter(log, { userId, startTimestamp, endTimestamp }, false);
          return resolved ? sums(log, resolved, { by, step: "range", offsetSeconds: 0 }, END_OF_TIME) : [];
        };
        const before = await used("none", 0, from - 1);
        const models = await used("model", from, end - 1);
        const tokens = await used("token", from, end - 1);
        const ofModels = log.isOneOf(
          "id",
          models.map(({ key }) => key),
        );
        const modelNames = await log.all<Named>(
          `SELECT id, name FROM models WHERE ${ofModels.sql}`,
          ...ofModels.parameters,
        );
        const tokenNames = await log.all<Named>(
          "SELECT token_id AS id, token_name AS name FROM payers WHERE user_id = ? ORDER BY payers.id",
          userId,
        );
        const named = (found: readonly KeyedSum[], names: readonly Named[], isNamed: boolean): UsedBy[] => {
          const byId = new Map(names.map(({ id, name }) => [id, name]));
          return found.map(({ key, requests, quota }) => {
            const name = byId.get(key) ?? "";
            return { key: isNamed ? name : String(key), name, requests, quota };
          });
        };
        return {
          before: before.reduce((sum, { quota }) => sum + quota, 0),
          models: named(models, modelNames, true),
          tokens: named(tokens, tokenNames, false),
        };
      }),

    spentSince: (dayStart: number, monthStart: number) =>
      inSnapshot((log) => spentSince(log, dayStart, monthStart)),

    consumedQuota: (filter: LogFilter, now: number): Promise<number> =>
      inSnapshot(async (log) => {
        if (filter.type !== undefined && filter.type !== LOG_CONSUME) return 0;
        const resolved = await resolveFilter(log, filter, true);
        if (!resolved) return 0;
        const span: Span = { by: "none", step: "range", offsetSeconds: 0 };
        const { sql, parameters } = await usageRows(log, resolved, span, now);
        const [row] = await log.all<{ quota: number | null }>(
          `SELECT ${wholeSum("quota")} AS quota FROM (${sql}) AS part`,
          ...parameters,
        );
        return row?.quota ?? 0;
      }),

    points,

    pointsInParts: async (query: UsageQuery, size: number, now: number): Promise<string[]> => {
      const found = await points(query, now);
      const parts: string[] = [];
      for (let first = 0; first < found.length; first += size)
        parts.push(JSON.stringify(found.slice(first, first + size).map(usagePoint.encode)));
      return parts;
    },

    pointsJson: async (query: UsageQuery, now: number): Promise<string> =>
      JSON.stringify((await points(query, now)).map(usagePoint.encode)),
  };
};
