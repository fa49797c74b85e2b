/* The one rule for all pages that compare two time ranges: when a change is shown, and when it is coloured. */

/** A smaller change is noise: two days are never the same. */
const LEAST_CHANGE = 0.05;

/** Percentiles are counted in buckets, each 19 % above the one before: a change of one bucket may be no change. */
const LEAST_CHANGE_OF_PERCENTILE = 0.2;

/** Values of fewer requests change by chance. */
const LEAST_SAMPLE = 20;

/** A change that rounds to zero. */
const NO_CHANGE = 0.001;

/** Whether an increase is good news, bad news or neither. */
export type ChangeMeaning = "good" | "bad" | "neither";

export interface Compared {
  now: number | undefined;
  before: number | undefined;
  meaning: ChangeMeaning;
  /** Number of requests behind the less certain of both values; for failures, their number in the worse range. */
  sample: number;
  isPercentile?: boolean;
}

export interface ValueChange {
  isMore: boolean;
  /** Relative to the earlier value; 1 means doubled. */
  share: number;
  tone: "good" | "bad" | "neither" | "noise";
}

/** The change of a value; undefined if there is nothing to compare or no change. */
export const changeOf = ({
  now,
  before,
  meaning,
  sample,
  isPercentile = false,
}: Compared): ValueChange | undefined => {
  if (now === undefined || before === undefined || before <= 0) return undefined;
  const change = (now - before) / before;
  const share = Math.abs(change);
  if (share < NO_CHANGE) return undefined;
  const isMore = change > 0;
  const isNoise = share < (isPercentile ? LEAST_CHANGE_OF_PERCENTILE : LEAST_CHANGE) || sample < LEAST_SAMPLE;
  if (isNoise) return { isMore, share, tone: "noise" };
  if (meaning === "neither") return { isMore, share, tone: "neither" };
  return { isMore, share, tone: isMore === (meaning === "good") ? "good" : "bad" };
};
