import type { UsagePointWire } from "@tollgate/contract/api/usage";
import { DAY_SECONDS, HOUR_SECONDS } from "@tollgate/storage/log/hours";
import type { UsageQueries, UsageQuery } from "@tollgate/storage/log/ports";
import { ROWS_A_PAGE } from "./file-stream";

const hourFrom = (seconds: number): number => Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS;

const pagesOf = async function* (
  usage: Pick<UsageQueries, "pointsInParts">,
  query: UsageQuery,
  now: number,
): AsyncGenerator<UsagePointWire[]> {
  // Each part is read on demand: all points of a large site at once would block the thread.
  for (const part of await usage.pointsInParts(query, ROWS_A_PAGE, now))
    yield JSON.parse(part) as UsagePointWire[];
};

/**
 * The points of a range, as in its chart, one span of time after another: only one span is in memory at a time. Where
 * only the largest are separate there are few, and choosing them needs the whole range.
 * @param now unix seconds.
 */
export async function* usagePages(
  usage: Pick<UsageQueries, "pointsInParts">,
  query: UsageQuery,
  now: number,
): AsyncGenerator<UsagePointWire[]> {
  if (query.by === "none" || query.top !== undefined) {
    yield* pagesOf(usage, query, now);
    return;
  }
  const spans: number[] = [];
  for await (const page of pagesOf(usage, { ...query, by: "none" }, now))
    for (const { time } of page) spans.push(time);
  const seconds = query.step === "day" ? DAY_SECONDS : HOUR_SECONDS;
  const { startTimestamp = 0, endTimestamp = Number.POSITIVE_INFINITY } = query.filter;
  for (const time of spans) {
    // An hour belongs to the day in which it begins.
    const filter = {
      ...query.filter,
      startTimestamp: Math.max(startTimestamp, hourFrom(time)),
      endTimestamp: Math.min(endTimestamp, hourFrom(time + seconds) - 1),
    };
    // A range still running has no end: points of a later time come with their own span.
    for await (const page of pagesOf(usage, { ...query, filter }, now))
      yield page.filter((point) => point.time === time);
  }
}
