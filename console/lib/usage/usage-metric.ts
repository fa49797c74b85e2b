import { formatCount, formatQuota, isShownInCurrency, markBounded, pointsPerShown } from "../format";
import { formatDuration, formatShare } from "../format-measure";
import type { UsageSum } from "./usage-sum";

/** Usage metrics for charts. */
export const USAGE_METRICS = [
  "requests",
  "tokens",
  "quota",
  "duration",
  "firstByte",
  "cacheHits",
  "errors",
] as const;
export type UsageMetric = (typeof USAGE_METRICS)[number];

/** Format of a metric: its values, and axis labels at a distance of `step`. */
export interface Measure {
  /** @param beside the values of the same column, which share the number of decimals. */
  format: (value: number, beside?: readonly number[]) => string;
  formatAxis: (value: number, step: number) => string;
  /** Size of one displayed unit in the value: axis labels are at round multiples of it. */
  unit: number;
  /** Values are integers. */
  isWhole: boolean;
}

const trimZeros = (text: string): string => text.replace(/\.0+(?=\D|$)/, "");

const COUNT: Measure = {
  format: (count) => markBounded(count, formatCount(count)),
  formatAxis: (value, step) => (step < 100 && value < 10_000 ? String(value) : trimZeros(shortCount(value))),
  unit: 1,
  isWhole: true,
};

/** 1k, 20k, 1.5M: an axis has no room for "1500". */
const shortCount = (value: number): string =>
  value >= 1000 && value < 10_000 ? `${(value / 1000).toFixed(1)}k` : formatCount(value);

const DURATION: Measure = {
  format: formatDuration,
  formatAxis: (value) => trimZeros(formatDuration(value).replace(/(\.\d)0 /, "$1 ")),
  unit: 1,
  isWhole: false,
};

const SHARE: Measure = {
  format: formatShare,
  formatAxis: (share) => trimZeros(formatShare(share)),
  unit: 1,
  isWhole: false,
};

/** Decimals for sums of many small charges: two, or more if two would round the smallest to zero. */
const quotaDigits = (quotas: readonly number[]): number => {
  const smallest = Math.min(...quotas.map(Math.abs).filter((quota) => quota > 0)) / pointsPerShown();
  return smallest >= 1 ? 2 : smallest >= 0.01 ? 4 : 6;
};

/** Decimals that distinguish adjacent axis labels. */
const axisDigits = (step: number): number =>
  Math.min(6, Math.max(0, Math.ceil(-Math.log10(step / pointsPerShown()) - 1e-9)));

const quotaMeasure = (): Measure =>
  isShownInCurrency()
    ? {
        format: (quota, beside = [quota]) => markBounded(quota, formatQuota(quota, quotaDigits(beside))),
        formatAxis: (quota, step) => formatQuota(quota, quota === 0 ? 0 : axisDigits(step)),
        unit: pointsPerShown(),
        isWhole: false,
      }
    : COUNT;

/** Format of a metric, with the site's current quota format. */
export const measureOf = (metric: UsageMetric): Measure => {
  if (metric === "quota") return quotaMeasure();
  if (metric === "cacheHits") return SHARE;
  return isDuration(metric) ? DURATION : COUNT;
};

/** Times, which also have percentiles. */
export const isDuration = (metric: UsageMetric): boolean => metric === "duration" || metric === "firstByte";

/** Means and shares cannot be stacked on each other, sums can. */
export const isMean = (metric: UsageMetric): boolean => isDuration(metric) || metric === "cacheHits";

/** All requests, successful or failed. */
export const allRequests = (sum: Pick<UsageSum, "requests" | "errors">): number => sum.requests + sum.errors;

/** The value of a metric; undefined for a mean without requests. */
export const metricOf = (metric: UsageMetric, sum: UsageSum): number | undefined => {
  switch (metric) {
    case "requests":
      return allRequests(sum);
    case "tokens":
      return sum.promptTokens + sum.completionTokens;
    case "quota":
      return sum.quota;
    case "errors":
      return sum.errors;
    case "duration":
      return sum.requests === 0 ? undefined : sum.durationMs / sum.requests;
    case "firstByte":
      return sum.streams === 0 ? undefined : sum.firstByteMs / sum.streams;
    case "cacheHits":
      return cacheHitRate(sum);
  }
};

/** Share of the prompt tokens that came from a cache, of requests that tell it; undefined without any. */
export const cacheHitRate = ({ cachePromptTokens = 0, cacheReadTokens = 0 }: UsageSum): number | undefined =>
  cachePromptTokens > 0 ? Math.min(1, cacheReadTokens / cachePromptTokens) : undefined;

/** Share of failed requests, from 0 to 1; undefined without requests. */
export const errorRate = (sum: Pick<UsageSum, "requests" | "errors">): number | undefined =>
  allRequests(sum) === 0 ? undefined : sum.errors / allRequests(sum);
