import type { LogFilter } from "@tollgate/contract/api/logs";
import { type UsageGrouping, type UsagePoint, usagePoint } from "@tollgate/contract/api/usage";
import type { InSnapshot, SqlPart, SqlRunner } from "../../sql/sql-runner";
import { wholeSum } from "../../sql/whole-sum";
import { DAY_SECONDS } from "../hours";
import type { UsageQuery, UsedBy, UserUsage } from "../ports";
import { consumedQuota } from "./consumed-quota";
import { keySpending } from "./key-spending";
import { newModelSpending } from "./new-models";
import { END_OF_TIME, type ResolvedFilter, resolveFilter } from "./resolve-filter";
import { spentSince } from "./spent-since";
import { USAGE_COLUMNS, type UsageColumn } from "./sum-columns";
import { addUp, type KeyedSum, knownCache, largestKeys, MEASURES, withRest } from "./usage-rest";
import { type Span, usageRows } from "./usage-rows";

/** Each sum under the name that it has in a point. */
const SUMS: Readonly<Record<UsageColumn, string>> = {
  requests: "sum(requests) AS requests",
  errors: "sum(errors) AS errors",
  prompt_tokens: `${wholeSum("prompt_tokens")} AS "promptTokens"`,
  completion_tokens: `${wholeSum("completion_tokens")} AS "completionTokens"`,
  quota: `${wholeSum("quota")} AS quota`,
  duration_ms: `${wholeSum("duration_ms")} AS "durationMs"`,
  first_byte_ms: `${wholeSum("first_byte_ms")} AS "firstByteMs"`,
  streams: "sum(streams) AS streams",
  cache_prompt_tokens: `${wholeSum("cache_prompt_tokens")} AS "cachePromptTokens"`,
  cache_read_tokens: `${wholeSum("cache_read_tokens")} AS "cacheReadTokens"`,
  cache_write_tokens: `${wholeSum("cache_write_tokens")} AS "cacheWriteTokens"`,
};

/** The columns that keys are ranked by (`MEASURES`). Adding up all of them takes half as long again. */
const RANKED_COLUMNS = ["requests", "errors", "prompt_tokens", "completion_tokens", "quota"] as const;

const KEYS: Record<UsageGrouping, string> = {
  none: "0",
  model: "model_id",
  channel: "channel_id",
  token: "payers.token_id",
  user: "payers.user_id",
};

/** Selects the key of usage. */
interface UsageSpan extends Span {
  by: UsageGrouping;
  columns?: readonly UsageColumn[];
}

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

/** @param only of these keys; of models and channels, because a filter finds the payers of others (`ofKeys`). */
const selectSums = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: UsageSpan,
  now: number,
  only?: readonly number[],
): Promise<SqlPart> => {
  const { sql, parameters } = await usageRows(log, resolved, span, now);
  const { columns = USAGE_COLUMNS, step } = span;
  const addedUp = columns.map((column) => `sum(${column}) AS ${column}`).join(", ");
  const byPayer = `SELECT ${timeOf(span)} AS hour, payer_id, ${addedUp} FROM (${sql}) AS part GROUP BY 1, 2`;
  const [time, from] = isOfPayers(span.by)
    ? [step === "range" ? "0" : "hour", `(${byPayer}) AS part JOIN payers ON payers.id = part.payer_id`]
    : [timeOf(span), `(${sql}) AS part`];
  const wanted = only && log.isOneOf(KEYS[span.by], only);
  return {
    sql: `SELECT ${time} AS time, ${KEYS[span.by]} AS key, ${columns.map((column) => SUMS[column]).join(", ")}
      FROM ${from} ${wanted ? `WHERE ${wanted.sql}` : ""} GROUP BY ${step === "range" ? "2" : "1, 2"} HAVING sum(requests) + sum(errors) > 0${columns.includes("quota") ? " OR sum(quota) <> 0" : ""}`,
    parameters: [...parameters, ...(wanted?.parameters ?? [])],
  };
};

const sums = async (...asked: Parameters<typeof selectSums>): Promise<KeyedSum[]> => {
  const { sql, parameters } = await selectSums(...asked);
  return asked[0].all<KeyedSum>(`${sql} ORDER BY 1, quota DESC, 2`, ...parameters);
};

/** The filter, resolved further to the payers of some tokens or users. */
const ofKeys = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  by: "token" | "user",
  keys: readonly number[],
): Promise<ResolvedFilter> => {
  const ofKey = log.isOneOf(`${by}_id`, keys);
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

/** The largest keys of the whole range, and how many there are. They are ranked where they are: there may be a hundred thousand. */
const rankKeys = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: UsageSpan,
  top: number,
  now: number,
): Promise<{ keys: number[]; count: number }> => {
  const whole: UsageSpan = { ...span, step: "range", columns: RANKED_COLUMNS };
  const { sql, parameters } = await selectSums(log, resolved, whole, now);
  const ranked = MEASURES.map((columns) => {
    const measure = columns.map((column) => `"${column}"`).join(" + ");
    return `SELECT key FROM (SELECT key FROM totals WHERE ${measure} > 0 ORDER BY ${measure} DESC, key LIMIT ${top}) AS ranked`;
  });
  const rows = await log.all<{ key: number; count: number }>(
    `WITH totals AS MATERIALIZED (${sql})
     SELECT key, (SELECT count(*) FROM totals) AS count FROM (${ranked.join(" UNION ")}) AS largest`,
    ...parameters,
  );
  return { keys: rows.map(({ key }) => key), count: rows[0]?.count ?? 0 };
};

/** The largest keys' sums, and the rest: all of it less them, so that the sums of small ones need not be read. */
const largestOfMany = async (
  log: SqlRunner,
  resolved: ResolvedFilter,
  span: UsageSpan,
  top: number,
  now: number,
): Promise<KeyedSum[]> => {
  const { by } = span;
  const { keys, count } = await rankKeys(log, resolved, span, top, now);
  if (keys.length === count) return sums(log, resolved, span, now);
  const chosen = isOfPayers(by)
    ? await sums(log, await ofKeys(log, resolved, by, keys), span, now)
    : await sums(log, resolved, span, now, keys);
  const whole = await sums(log, resolved, { ...span, by: "none" }, now);
  return withRest(chosen, whole, count - keys.length);
};

/** Up to so many models or channels are read once and ranked here. */
const FEW_SUBJECTS = 100;

/** The same of keys that are few: reading all of them once is less than reading the range three times. */
const largestOfFew = async (
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

/** All models, or all channels. */
const subjectsOf = async (
  log: SqlRunner,
  channels: ChannelNames,
  by: UsageGrouping,
): Promise<readonly Named[]> => {
  if (by === "channel") return channels.all();
  return by === "model" ? log.all<Named>("SELECT id, name FROM models") : [];
};

/** The names of tokens or users, the older ones of each before its newest. */
const payerNames = (log: SqlRunner, by: "token" | "user", keys: readonly number[]): Promise<Named[]> => {
  const ofKeys = log.isOneOf(`${by}_id`, keys);
  return log.all<Named>(
    `SELECT ${by}_id AS id, ${by === "user" ? "username" : "token_name"} AS name FROM payers
     WHERE ${ofKeys.sql} ORDER BY payers.id`,
    ...ofKeys.parameters,
  );
};

/** Sums over the log: from the sums that are kept by the hour, and from lines where a range ends within an hour. */
export const usageReads = (inSnapshot: InSnapshot, channels: ChannelNames) => {
  const points = ({ filter, step, by, offsetMinutes, top }: UsageQuery, now: number): Promise<UsagePoint[]> =>
    inSnapshot(async (log) => {
      const resolved = await resolveFilter(log, filter, false);
      if (!resolved) return [];
      const span: UsageSpan = { by, step, offsetSeconds: offsetMinutes * 60 };
      const subjects = await subjectsOf(log, channels, by);
      const isMany = isOfPayers(by) || subjects.length > FEW_SUBJECTS;
      const largest = isMany ? largestOfMany : largestOfFew;
      const found =
        top === undefined || by === "none"
          ? await sums(log, resolved, span, now)
          : await largest(log, resolved, span, top, now);
      const keys = [...new Set(found.map(({ key }) => key))];
      const named = isOfPayers(by) ? await payerNames(log, by, keys) : subjects;
      // The last one wins: the newest name.
      const names = new Map(named.map(({ id, name }) => [id, name]));
      return found.map((sum) => {
        const known = { ...sum, ...knownCache(sum) };
        if (sum.others !== undefined) return { ...known, key: "", name: "" };
        const name = names.get(sum.key) ?? "";
        // A model is known by its name, everything else by its number.
        const key = by === "none" || by === "model" ? name : String(sum.key);
        return { ...known, key, name };
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

    spentSince: (moments: readonly number[]) => inSnapshot((log) => spentSince(log, moments)),

    keySpending: (hour: number, from: number, leastQuota: number) =>
      inSnapshot((log) => keySpending(log, hour, from, leastQuota)),

    newModelSpending: (hour: number, from: number, leastQuota: number) =>
      inSnapshot((log) => newModelSpending(log, hour, from, leastQuota)),

    consumedQuota: (filter: LogFilter, now: number): Promise<number> =>
      inSnapshot((log) => consumedQuota(log, filter, now)),

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
