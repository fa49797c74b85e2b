import type { UsagePoint, UsageSum } from "@tollgate/contract/api/usage";

export type { UsageSum };

export const NO_USAGE: UsageSum = {
  requests: 0,
  errors: 0,
  promptTokens: 0,
  completionTokens: 0,
  quota: 0,
  durationMs: 0,
  firstByteMs: 0,
  streams: 0,
};

/** Adds counts of which one may be unknown. */
const addKnown = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : a + b;

const add = (a: UsageSum, b: UsageSum): UsageSum => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  quota: a.quota + b.quota,
  durationMs: a.durationMs + b.durationMs,
  firstByteMs: a.firstByteMs + b.firstByteMs,
  streams: a.streams + b.streams,
  cachePromptTokens: addKnown(a.cachePromptTokens, b.cachePromptTokens),
  cacheReadTokens: addKnown(a.cacheReadTokens, b.cacheReadTokens),
  cacheWriteTokens: addKnown(a.cacheWriteTokens, b.cacheWriteTokens),
});

/** Total of all sums. */
export const sumUsage = (sums: readonly UsageSum[]): UsageSum => sums.reduce(add, NO_USAGE);

/** A model, token, channel or user, with its usage in total and per span of the range. */
export interface UsageGroup {
  key: string;
  name: string;
  total: UsageSum;
  /** One per span, in order; NO_USAGE for a span without requests. */
  spans: UsageSum[];
}

/** Index of the last span that has begun at `time`; 0 for earlier times, which a server with another clock may send. */
export const spanAt = (times: readonly number[], time: number): number => {
  const after = times.findIndex((begin) => begin > time);
  return after === -1 ? times.length - 1 : Math.max(0, after - 1);
};

/**
 * Sorts points into groups, and each group's into the spans of the range.
 * @param times start times of the spans in unix seconds, ascending
 */
export const groupUsage = (points: readonly UsagePoint[], times: readonly number[]): UsageGroup[] => {
  const groups = new Map<string, UsageGroup>();
  for (const point of points) {
    const group = groups.get(point.key) ?? {
      key: point.key,
      name: point.name,
      total: NO_USAGE,
      spans: times.map(() => NO_USAGE),
    };
    const span = spanAt(times, point.time);
    group.total = add(group.total, point);
    group.spans[span] = add(group.spans[span] ?? NO_USAGE, point);
    groups.set(point.key, group);
  }
  return [...groups.values()];
};

/** Groups below the requested top, added up by the server. */
export interface OtherUsage {
  /** Number of these groups. */
  count: number;
  group: UsageGroup;
}

/** Separates an answer's groups from the sum of the others. */
export const splitUsage = (
  points: readonly UsagePoint[],
  times: readonly number[],
): { groups: UsageGroup[]; others: OtherUsage | undefined } => {
  const rest = points.filter(({ others }) => others !== undefined);
  const count = rest[0]?.others;
  return {
    groups: groupUsage(
      points.filter(({ others }) => others === undefined),
      times,
    ),
    others: count === undefined ? undefined : { count, group: joinGroups(groupUsage(rest, times), times) },
  };
};

/** All groups merged into one. */
export const joinGroups = (groups: readonly UsageGroup[], times: readonly number[]): UsageGroup => ({
  key: "",
  name: "",
  total: sumUsage(groups.map(({ total }) => total)),
  spans: times.map((_, span) => sumUsage(groups.map(({ spans }) => spans[span] ?? NO_USAGE))),
});
