import type { UsageSum } from "@tollgate/contract/api/usage";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";

/** Use of one key in one span. */
export interface KeyedSum extends UsageSum {
  /** Unix seconds of the span's begin. */
  time: number;
  key: number;
  /** For the rest: how many keys it adds up. */
  others?: number;
}

/** Sums of the prompt's cache, as answers have them: those of requests that tell nothing of it are unknown. */
export const knownCache = ({
  cachePromptTokens = 0,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: UsageSum): Pick<UsageSum, "cachePromptTokens" | "cacheReadTokens" | "cacheWriteTokens"> => {
  const isKnown = cachePromptTokens > 0;
  return {
    cachePromptTokens: isKnown ? cachePromptTokens : undefined,
    cacheReadTokens: isKnown ? cacheReadTokens : undefined,
    cacheWriteTokens: isKnown || cacheWriteTokens > 0 ? cacheWriteTokens : undefined,
  };
};

type RankedSum = "requests" | "errors" | "promptTokens" | "completionTokens" | "quota";

/** Measures of a key's size, by which charts rank: each adds up these sums. */
export const MEASURES: readonly (readonly RankedSum[])[] = [
  ["requests", "errors"],
  ["promptTokens", "completionTokens"],
  ["quota"],
  ["errors"],
];

/**
 * The keys that are among the `top` largest by requests, by tokens, by quota or by errors.
 * @param totals each key's sum over the whole range.
 */
export const largestKeys = (totals: readonly KeyedSum[], top: number): Set<number> => {
  const keys = new Set<number>();
  for (const columns of MEASURES) {
    const measure = (sum: UsageSum): number => columns.reduce((whole, column) => whole + sum[column], 0);
    const ranked = totals.toSorted((a, b) => measure(b) - measure(a) || a.key - b.key);
    for (const sum of ranked.slice(0, top)) if (measure(sum) > 0) keys.add(sum.key);
  }
  return keys;
};

/** Adds within the exact range of numbers; a difference to a limited whole is at least 0. */
const added = (a: number, b: number, times: 1 | -1): number => {
  const sum = a + times * b;
  if (times === -1 && a === MAX_QUOTA) return Math.max(0, sum);
  return Math.max(-MAX_QUOTA, Math.min(MAX_QUOTA, sum));
};

const plus = (a: UsageSum, b: UsageSum, times: 1 | -1): UsageSum => ({
  requests: added(a.requests, b.requests, times),
  errors: added(a.errors, b.errors, times),
  promptTokens: added(a.promptTokens, b.promptTokens, times),
  completionTokens: added(a.completionTokens, b.completionTokens, times),
  quota: added(a.quota, b.quota, times),
  durationMs: added(a.durationMs, b.durationMs, times),
  firstByteMs: added(a.firstByteMs, b.firstByteMs, times),
  streams: added(a.streams, b.streams, times),
  cachePromptTokens: added(a.cachePromptTokens ?? 0, b.cachePromptTokens ?? 0, times),
  cacheReadTokens: added(a.cacheReadTokens ?? 0, b.cacheReadTokens ?? 0, times),
  cacheWriteTokens: added(a.cacheWriteTokens ?? 0, b.cacheWriteTokens ?? 0, times),
});

/** Adds up sums of the same key. */
export const addUp = (
  sums: readonly KeyedSum[],
  keyOf: (sum: KeyedSum) => Pick<KeyedSum, "time" | "key">,
): KeyedSum[] => {
  const found = new Map<string, KeyedSum>();
  for (const sum of sums) {
    const target = keyOf(sum);
    const name = `${target.time} ${target.key}`;
    const before = found.get(name);
    found.set(name, { ...(before ? plus(before, sum, 1) : sum), ...target });
  }
  return [...found.values()];
};

/**
 * Returns the chosen keys' sums and, as one more in each span, the rest of the whole. Spans without a rest have no such
 * sum.
 * @param whole one sum for each span.
 * @param others number of keys in the rest.
 * @returns ordered by time.
 */
export const withRest = (
  chosen: readonly KeyedSum[],
  whole: readonly KeyedSum[],
  others: number,
): KeyedSum[] => {
  const left = new Map(whole.map((sum) => [sum.time, sum as UsageSum]));
  for (const sum of chosen) {
    const before = left.get(sum.time);
    if (before) left.set(sum.time, plus(before, sum, -1));
  }
  const rest = [...left]
    .filter(([, sum]) => sum.requests + sum.errors > 0 || sum.quota !== 0)
    .map(([time, sum]) => ({ ...sum, time, key: 0, others }));
  return [...chosen, ...rest].sort((a, b) => a.time - b.time);
};
