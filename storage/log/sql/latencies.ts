import type { LatencyPoint } from "@tollgate/contract/api/usage";
import type { RequestEntry } from "../../outbox/log-entry";
import type { InSnapshot } from "../../sql/sql-runner";
import { hourOf } from "../hours";
import { bucketOf, quantilesOf } from "../latency-buckets";
import type { LatencyQuery } from "../ports";
import { resolveFilter, subjectConditions } from "./resolve-filter";
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
}: RequestEntry): readonly Latency[] => {
  if (count !== "answered") return NONE;
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

/** Percentiles of durations, from the counts by the hour: hours that a range cuts count as a whole. */
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
      const named =
        by === "model"
          ? await log.all<{ id: number; name: string }>("SELECT id, name FROM models")
          : by === "channel"
            ? await channels.all()
            : [];
      const names = new Map(named.map(({ id, name }) => [id, name]));
      return split(rows).map((group): LatencyPoint => {
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
      });
    }),
});
