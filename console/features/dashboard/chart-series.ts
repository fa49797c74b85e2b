import type { UsageGrouping } from "@tollgate/contract/api/usage";
import {
  type ChartColor,
  ERROR_COLOR,
  GROUP_COLORS,
  groupColors,
  OTHER_COLOR,
} from "../../components/chart/chart-colors";
import type { ChartSeries } from "../../components/chart/chart-data";
import { allRequests, isMean, metricOf, type UsageMetric } from "../../lib/usage/usage-metric";
import { joinGroups, type UsageGroup } from "../../lib/usage/usage-sum";
import type { Usage } from "./use-dashboard";

/** Groups ranked by a metric; by requests for a mean, which is not a measure of size. */
export const rankGroups = (groups: readonly UsageGroup[], metric: UsageMetric): UsageGroup[] => {
  const weight = ({ total }: UsageGroup) =>
    isMean(metric) ? allRequests(total) : (metricOf(metric, total) ?? 0);
  return groups.toSorted(
    (a, b) =>
      weight(b) - weight(a) || allRequests(b.total) - allRequests(a.total) || a.key.localeCompare(b.key),
  );
};

/** The groups of a usage, ranked and split. */
export interface Ranking {
  /** The largest groups. */
  top: UsageGroup[];
  /** The groups below the top; those below the answer are in it as one. */
  rest: UsageGroup[];
  /** Number of all groups. */
  count: number;
  colorOf: (group: UsageGroup) => ChartColor;
}

/** Ranks all groups of a usage by a metric. @param limit number of groups in the top. */
export const rankUsage = (
  { groups, others }: Pick<Usage, "groups" | "others">,
  metric: UsageMetric,
  limit: number,
): Ranking => {
  const ranked = rankGroups(groups, metric);
  const colors = groupColors(ranked.map(({ key }) => key));
  return {
    top: ranked.slice(0, limit),
    rest: ranked.slice(limit).concat(others?.group ?? []),
    count: ranked.length + (others?.count ?? 0),
    colorOf: ({ key }) => colors.get(key) ?? OTHER_COLOR,
  };
};

/** Labels of series. */
export interface SeriesNames {
  metric: string;
  answered: string;
  failed: string;
  prompt: string;
  completion: string;
  other: string;
  group: (group: UsageGroup) => string;
}

const [FIRST, SECOND] = GROUP_COLORS;

/** A metric of all groups together, split into its own parts. */
const plainSeries = ({ all }: Usage, metric: UsageMetric, names: SeriesNames): ChartSeries[] => {
  const part = (
    key: string,
    label: string,
    color: ChartColor,
    read: (at: UsageGroup["total"]) => number,
  ) => ({
    key,
    label,
    color,
    values: all.spans.map(read),
  });
  if (metric === "requests")
    return [
      part("answered", names.answered, FIRST, (sum) => sum.requests),
      part("failed", names.failed, ERROR_COLOR, (sum) => sum.errors),
    ];
  if (metric === "tokens")
    return [
      part("prompt", names.prompt, FIRST, (sum) => sum.promptTokens),
      part("completion", names.completion, SECOND, (sum) => sum.completionTokens),
    ];
  const color = metric === "errors" ? ERROR_COLOR : FIRST;
  return [{ key: metric, label: names.metric, color, values: all.spans.map((sum) => metricOf(metric, sum)) }];
};

/** The series of a chart: the largest groups, and the rest as one if it can be summed. */
export const chartSeries = (
  usage: Usage,
  by: UsageGrouping,
  metric: UsageMetric,
  names: SeriesNames,
): ChartSeries[] => {
  if (by === "none") return plainSeries(usage, metric, names);
  const { top, rest, colorOf } = rankUsage(usage, metric, GROUP_COLORS.length);
  const series = top.map(
    (group): ChartSeries => ({
      key: group.key,
      label: names.group(group),
      color: colorOf(group),
      values: group.spans.map((sum) => metricOf(metric, sum)),
    }),
  );
  // A mean over the rest would be meaningless.
  if (rest.length === 0 || isMean(metric)) return series;
  const others = joinGroups(rest, usage.times).spans.map((sum) => metricOf(metric, sum));
  return [...series, { key: "\n", label: names.other, color: OTHER_COLOR, values: others }];
};
