import type { LatencyGrouping, LatencyPoint, LatencyStep, UserLatency } from "@tollgate/contract/api/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { REFUNDED } from "../../outbox/log-content";
import type { RequestEntry } from "../../outbox/log-entry";
import type { InSnapshot, SqlRunner } from "../../sql/sql-runner";
import { DAY_SECONDS, hourOf } from "../hours";
import { bucketOf, quantilesOf } from "../latency-buckets";
import type { LatencyQuery, UserLatencyQuery } from "../ports";
import { IS_REQUEST } from "./no-request";
import { type ResolvedFilter, resolveFilter, subjectConditions } from "./resolve-filter";
import { type ChannelNames, timeOf } from "./usage";

/** Measures, as they are stored. */
const FIRST_BYTE = 0;
const DURATION = 1;

/** One request more in a bucket of a measure. */
export type Latency = readonly [measure: number, bucket: number];

const NONE: readonly Latency[] = [];

/** The buckets that a request counts in: answered ones alone, the first byte of streams alone. */
export const latenciesOf = ({
  count,
  isStream,
  firstByteMs,
  durationMs,
  content,
}: RequestEntry): readonly Latency[] => {
  if (count !== "answered" || content === REFUNDED) return NONE;
  const whole: Latency = [DURATION, bucketOf(durationMs)];
  return isStream && firstByteMs !== undefined ? [[FIRST_BYTE, bucketOf(firstByteMs)], whole] : [whole];
};

const KEYS = { none: "0", model: "model_id", channel: "channel_id" } as const;

interface Row {
  time: number;
  key: number;
  measure: number;
  bucket: number;
  requests: number;
}

/** Rows of one span and key, which stand together. */
const split = (rows: readonly Row[]): Row[][] => {
  const groups: Row[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.time === row.time && last[0].key === row.key) last.push(row);
    else groups.push([row]);
  }
  return groups;
};

const toPoint = (
  group: readonly Row[],
  by: LatencyGrouping,
  names: ReadonlyMap<number, string>,
): LatencyPoint => {
  const [{ time, key } = { time: 0, key: 0 }] = group;
  const name = names.get(key) ?? "";
  const of = (measure: number) => {
    const counts = group.filter((row) => row.measure === measure);
    return counts.length === 0 ? undefined : quantilesOf(counts);
  };
  const firstByte = of(FIRST_BYTE);
  const duration = of(DURATION);
  return {
    time,
    key: by === "none" ? "" : by === "model" ? name : String(key),
    name,
    ...(firstByte && { first_byte: firstByte }),
    ...(duration && { duration }),
  };
};

const namesOf = async (
  log: SqlRunner,
  by: LatencyGrouping,
  channels: ChannelNames,
): Promise<ReadonlyMap<number, string>> => {
  const named =
    by === "model"
      ? await log.all<{ id: number; name: string }>("SELECT id, name FROM models")
      : by === "channel"
        ? await channels.all()
        : [];
  return new Map(named.map(({ id, name }) => [id, name]));
};

interface UserLine {
  created_at: number;
  payer_id: number;
  model_id: number;
  channel_id: number;
  is_stream: number;
  first_byte_ms: number;
  duration_ms: number;
}

/** The begin of the span in which a moment lies, as `timeOf` cuts hours. */
const spanBegin = (time: number, step: LatencyStep, offsetSeconds: number): number => {
  if (step === "range") return 0;
  if (step === "hour") return hourOf(time);
  return Math.floor((hourOf(time) + offsetSeconds) / DAY_SECONDS) * DAY_SECONDS - offsetSeconds;
};

/** The newest lines of a user's requests, chosen by user and time alone, which an index has: a rare model or key leads no further back. */
const newestLines = (
  log: SqlRunner,
  { from, to }: ResolvedFilter,
  userId: number,
  limit: number,
): Promise<UserLine[]> =>
  log.all<UserLine>(
    `SELECT created_at, payer_id, model_id, channel_id, is_stream, first_byte_ms, duration_ms FROM logs
     WHERE user_id = ? AND created_at >= ? AND created_at <= ? AND type = ${LOG_CONSUME} AND ${IS_REQUEST}
     ORDER BY created_at DESC, id DESC LIMIT ?`,
    userId,
    from,
    to,
    limit + 1,
  );

/** Counts lines in the buckets of their spans and keys, in the order that `split` expects. */
const countLines = (
  lines: readonly UserLine[],
  { by, step, offsetMinutes }: Pick<UserLatencyQuery, "by" | "step" | "offsetMinutes">,
): Row[] => {
  const rows = new Map<string, Row>();
  for (const line of lines) {
    const time = spanBegin(line.created_at, step, offsetMinutes * 60);
    const key = by === "none" ? 0 : by === "model" ? line.model_id : line.channel_id;
    const isTimed = line.is_stream === 1 && line.first_byte_ms > 0;
    const measures = [[DURATION, line.duration_ms] as const, [FIRST_BYTE, line.first_byte_ms] as const];
    for (const [measure, ms] of isTimed ? measures : measures.slice(0, 1)) {
      const bucket = bucketOf(ms);
      const name = [time, key, measure, bucket].join(" ");
      const row = rows.get(name);
      if (row) row.requests += 1;
      else rows.set(name, { time, key, measure, bucket, requests: 1 });
    }
  }
  return [...rows.values()].sort(
    (a, b) => a.time - b.time || a.key - b.key || a.measure - b.measure || a.bucket - b.bucket,
  );
};

/** Percentiles of durations: of everyone's from the counts by the hour, where hours that a range cuts count as a whole. */
export const latencyReads = (inSnapshot: InSnapshot, channels: ChannelNames) => ({
  latency: ({ filter, by, step, offsetMinutes }: LatencyQuery): Promise<LatencyPoint[]> =>
    inSnapshot(async (log) => {
      const resolved = await resolveFilter(log, filter, false);
      if (!resolved) return [];
      const subject = subjectConditions(resolved);
      const rows = await log.all<Row>(
        `SELECT ${timeOf({ by, step, offsetSeconds: offsetMinutes * 60 })} AS time, ${KEYS[by]} AS key, measure, bucket,
           sum(requests) AS requests
         FROM latency_hours WHERE hour >= ? AND hour <= ?${subject.sql}
         GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
        hourOf(resolved.from),
        resolved.to,
        ...subject.parameters,
      );
      const names = await namesOf(log, by, channels);
      return split(rows).map((group) => toPoint(group, by, names));
    }),

  userLatency: (query: UserLatencyQuery): Promise<UserLatency> =>
    inSnapshot(async (log) => {
      const { filter, by, limit } = query;
      const resolved = await resolveFilter(log, { ...filter, type: LOG_CONSUME }, true);
      if (!resolved) return { points: [] };
      const { modelId, channelId, payerIds = [] } = resolved;
      const userId = resolved.userId ?? query.holderId;
      if (userId === undefined) return { points: [], is_shared: true };
      const found = await newestLines(log, resolved, userId, limit);
      const newest = found.slice(0, limit);
      const payers = new Set(payerIds);
      const lines = newest.filter(
        (line) =>
          payers.has(line.payer_id) &&
          (modelId === undefined || line.model_id === modelId) &&
          (channelId === undefined || line.channel_id === channelId),
      );
      const names = await namesOf(log, by, channels);
      const points = split(countLines(lines, query)).map((group) => toPoint(group, by, names));
      const oldest = newest.at(-1);
      return found.length > limit && oldest ? { points, since: oldest.created_at } : { points };
    }),
});
