/*
 * When a change is drawn, and when it has a colour. Every page that compares two times follows this one rule.
 */

/** A smaller change is noise: two days are never the same. */
const LEAST_CHANGE = 0.05;

/** Percentiles are counted in buckets, each 19 % above the one before: a step of one bucket may be nothing. */
const LEAST_CHANGE_OF_PERCENTILE = 0.2;

/** Numbers of fewer requests than this change by chance. */
const LEAST_SAMPLE = 20;

/** What rounds to nothing has not changed. */
const NO_CHANGE = 0.001;

/** Whether more of a value is good news, bad news or neither. */
export type ChangeMeaning = "good" | "bad" | "neither";

export interface Compared {
  now: number | undefined;
  before: number | undefined;
  meaning: ChangeMeaning;
  /** How many requests the less certain of both values is of; of failures, how many there were in the worse time. */
  sample: number;
  isPercentile?: boolean;
}

export interface ValueChange {
  isMore: boolean;
  /** Of the value before; 1 is twice as much. */
  share: number;
  tone: "good" | "bad" | "neither" | "noise";
}

/** How much a value has changed; undefined where there is nothing to compare, or nothing has changed. */
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
