import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ERROR_COLOR, GROUP_COLORS } from "../../components/chart/chart-colors";
import { type ChartData, firstSpan } from "../../components/chart/chart-data";
import { ChartSkeleton, TimeChart } from "../../components/chart/time-chart";
import { Segmented } from "../../components/segmented";
import { useSession } from "../../lib/session";
import { allRequests, measureOf } from "../../lib/usage/usage-metric";
import { usageQuery } from "../../lib/usage/usage-query";
import {
  chartSpans,
  clockOffsetMinutes,
  formatSpan,
  spanBegins,
  spanRange,
  writeRange,
} from "../../lib/usage/usage-range";
import { groupUsage, joinGroups } from "../../lib/usage/usage-sum";
import { trendFilter, trendRange, trendStep } from "./log-chart-range";
import type { LogSearch } from "./log-search";

interface LogChartProps {
  search: LogSearch;
  metric: "requests" | "quota";
  onMetric: (metric: "requests" | "quota") => void;
  onFilter: (filter: LogSearch) => void;
}

const HEIGHT_PX = 170;

/** The requests or the quota of the filtered log over its range. */
const LogChart = ({ search, metric, onMetric, onFilter }: LogChartProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("usage");
  const [nowMs] = useState(Date.now);
  const { range: preset, from, to } = search;
  const range = useMemo(() => trendRange({ range: preset, from, to }, nowMs), [preset, from, to, nowMs]);
  const step = trendStep(range);
  const { data, error, refetch } = useQuery({
    ...usageQuery({ isAll: isAdmin, range, step, by: "none", filter: trendFilter(search) }),
    meta: { silent: true },
  });
  const begins = useMemo(() => spanBegins(range, step, clockOffsetMinutes()), [range, step]);
  const chart = useMemo((): ChartData | undefined => {
    if (!data) return undefined;
    const { spans } = joinGroups(groupUsage(data.points, begins), begins);
    const [color] = GROUP_COLORS;
    return {
      spans: chartSpans(begins, step),
      series:
        metric === "quota"
          ? [{ key: "quota", label: t("usage.metric.quota"), color, values: spans.map((sum) => sum.quota) }]
          : [
              {
                key: "answered",
                label: t("usage.answered"),
                color,
                values: spans.map((sum) => sum.requests),
              },
              {
                key: "failed",
                label: t("usage.failed"),
                color: ERROR_COLOR,
                values: spans.map((sum) => sum.errors),
              },
            ],
      kind: "bars",
      measure: measureOf(metric),
      since: firstSpan(spans.map(allRequests)),
    };
  }, [data, begins, step, metric, t]);

  if (data && !data.isOffered) return <p className="px-4 pb-4 text-ink-2">{t("trend.notOffered")}</p>;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-1">
        <span className="text-sm text-ink-2 tabular-nums">
          {formatSpan(range.from, "hour")} – {formatSpan(range.to, "hour")}
        </span>
        <Segmented
          label={t("trend.metric")}
          value={metric}
          segments={[
            { value: "quota", label: t("usage.metric.quota") },
            { value: "requests", label: t("usage.metric.requests") },
          ]}
          onChange={onMetric}
        />
      </div>
      {error ? (
        <div className="flex flex-col items-center gap-2 py-6 text-ink-2">
          {t("table.failed")}
          <Button size="small" onClick={() => void refetch()}>
            {t("action.retry")}
          </Button>
        </div>
      ) : chart === undefined ? (
        <ChartSkeleton heightPx={HEIGHT_PX + 44} />
      ) : data?.points.length === 0 ? (
        <p className="py-6 text-center text-ink-3">{t("trend.empty")}</p>
      ) : (
        <TimeChart
          label={t("trend.title")}
          chart={chart}
          heightPx={HEIGHT_PX}
          pickHint={t("trend.pickHint")}
          onPick={(span) => {
            const part = spanRange(begins[span] ?? range.from, step, range);
            onFilter({ ...search, range: undefined, ...writeRange(part) });
          }}
        />
      )}
    </>
  );
};

export default LogChart;
