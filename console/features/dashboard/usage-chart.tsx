import { useNavigate } from "@tanstack/react-router";
import type { UsageGrouping } from "@tollgate/contract/api/usage";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type ChartData, type ChartSeries, firstSpan } from "../../components/chart/chart-data";
import { ChartSkeleton, TimeChart } from "../../components/chart/time-chart";
import { Segmented } from "../../components/segmented";
import { allRequests, isMean, measureOf, type UsageMetric } from "../../lib/usage/usage-metric";
import { chartSpans, spanRange } from "../../lib/usage/usage-range";
import { useGroupName } from "../../lib/usage/use-group-name";
import { chartSeries } from "./chart-series";
import { type DashboardSearch, offeredGroupings } from "./dashboard-search";
import { groupFilter } from "./log-search-of";
import type { Usage, View } from "./use-dashboard";
import { useLogSearch } from "./use-log-search";

interface UsageChartProps {
  view: View;
  usage: Usage | undefined;
  /** There were requests before the range, so a late first one does not mean that data begin there. */
  hasEarlier: boolean;
  metric: UsageMetric;
  onGrouping: (by: UsageGrouping) => void;
  onFilter: (filter: DashboardSearch) => void;
}

const HEIGHT_PX = 280;
/** Name of the pointer shared by the page's charts. */
export const CROSSHAIR = "dashboard";

/** The chosen metric over time, by the chosen grouping. */
export const UsageChart = ({ view, usage, hasEarlier, metric, onGrouping, onFilter }: UsageChartProps) => {
  const { t } = useTranslation();
  const title = t("dashboard.chartTitle", {
    metric: t(`usage.metric.${metric}`),
    by: t(`usage.by.${view.by}`),
  });
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3">
        <h2 className="font-semibold text-lg">{title}</h2>
        <Segmented
          label={t("dashboard.grouping")}
          value={view.by}
          segments={offeredGroupings(view.isAll).map((by) => ({ value: by, label: t(`usage.by.${by}`) }))}
          onChange={onGrouping}
        />
      </header>
      {usage ? (
        <Picture
          view={view}
          usage={usage}
          hasEarlier={hasEarlier}
          metric={metric}
          title={title}
          onFilter={onFilter}
        />
      ) : (
        <div role="status" aria-label={t("page.loading")}>
          <ChartSkeleton heightPx={HEIGHT_PX + 44} />
        </div>
      )}
    </section>
  );
};

interface PictureProps {
  view: View;
  usage: Usage;
  hasEarlier: boolean;
  metric: UsageMetric;
  title: string;
  onFilter: (filter: DashboardSearch) => void;
}

const Picture = ({ view, usage, hasEarlier, metric, title, onFilter }: PictureProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const logSearch = useLogSearch(view);
  const nameOf = useGroupName();
  const { by, step, range } = view;
  // The chart is drawn again when its data change, not when the pointer moves.
  const chart = useMemo(
    (): ChartData => ({
      spans: chartSpans(usage.times, step),
      series: chartSeries(usage, by, metric, {
        metric: t(`usage.metric.${metric}`),
        answered: t("usage.answered"),
        failed: t("usage.failed"),
        prompt: t("usage.prompt"),
        completion: t("usage.completion"),
        other: t("usage.other"),
        group: (group) => nameOf(by, group),
      }),
      kind: isMean(metric) ? "lines" : "bars",
      measure: measureOf(metric),
      since: hasEarlier ? undefined : firstSpan(usage.all.spans.map(allRequests)),
    }),
    [usage, hasEarlier, by, metric, step, t, nameOf],
  );
  const pick = (span: number) => {
    const begin = usage.times[span];
    if (begin !== undefined)
      void navigate({ to: "/log", search: logSearch({ range: spanRange(begin, step, range) }) });
  };
  const legendEntry = ({ key, label }: ChartSeries) => {
    const group = usage.groups.find((each) => each.key === key);
    const filter = group && groupFilter(by, group);
    if (by === "none" || !filter) return undefined;
    return (
      <button
        type="button"
        title={t("dashboard.onlyThis", { name: label })}
        className="truncate underline-offset-2 hover:text-ink max-wide:min-h-control-small hover:underline"
        onClick={() => onFilter(filter)}
      >
        {label}
      </button>
    );
  };
  return (
    <TimeChart
      label={title}
      chart={chart}
      heightPx={HEIGHT_PX}
      onPick={pick}
      pickHint={t("chart.toLog")}
      legendEntry={legendEntry}
      crosshair={CROSSHAIR}
    />
  );
};
