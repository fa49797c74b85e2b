import type { Quantiles } from "@tollgate/contract/api/usage";

/*
 * Durations are counted in buckets whose bounds grow by a quarter of an octave: each bound is 2^(1/4) times the one before. Counts of
 * buckets add up, over hours, models and channels, to the buckets of the whole: a percentile of any range costs no look at its
 * lines. It is told as the middle of its bucket, and so is off by at most 2^(1/8), 9.1 %.
 */

const BUCKETS_PER_OCTAVE = 4;
/** 2^20 ms, 17 minutes: longer durations count as that long. */
const LAST_BUCKET = 20 * BUCKETS_PER_OCTAVE;

/** The number of the bucket of a duration, from 0 for up to a millisecond. */
export const bucketOf = (ms: number): number =>
  ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms) * BUCKETS_PER_OCTAVE));

const middleOf = (bucket: number): number =>
  bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / BUCKETS_PER_OCTAVE));

/** The count of one bucket. */
export interface BucketCount {
  bucket: number;
  requests: number;
}

/** Percentiles by nearest rank. @param counts of one or more buckets, each at most once, in ascending order. */
export const quantilesOf = (counts: readonly BucketCount[]): Quantiles => {
  const requests = counts.reduce((sum, each) => sum + each.requests, 0);
  const at = (share: number): number => {
    let left = Math.ceil(requests * share);
    for (const { bucket, requests: count } of counts) {
      left -= count;
      if (left <= 0) return middleOf(bucket);
    }
    return 0;
  };
  return { requests, p50_ms: at(0.5), p95_ms: at(0.95) };
};
