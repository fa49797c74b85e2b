import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type LatencyPoint, MAX_OWN_LATENCY_REQUESTS, type UserLatency } from "@tollgate/contract/api/usage";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { GROUP_COLORS } from "../../components/chart/chart-colors";
import { type ChartData, firstSpan } from "../../components/chart/chart-data";
import { ChartSkeleton, TimeChart } from "../../components/chart/time-chart";
import { latencyQuery } from "../../lib/usage/latency-query";
import { measureOf } from "../../lib/usage/usage-metric";
import { chartSpans, formatSpan, spanRange } from "../../lib/usage/usage-range";
import { spanAt } from "../../lib/usage/usage-sum";
import { filterOf } from "./dashboard-search";
import { CROSSHAIR } from "./usage-chart";
import type { View } from "./use-dashboard";
import { useLogSearch } from "./use-log-search";

const HEIGHT_PX = 200;

const MEASURES = [
  { metric: "firstByte", field: "first_byte" },
  { metric: "duration", field: "duration" },
] as const;
type Shown = (typeof MEASURES)[number];

const [MEDIAN, TAIL] = GROUP_COLORS;

const percentilesChart = (
  { points }: UserLatency,
  times: readonly number[],
  step: View["step"],
  { metric, field }: Shown,
): ChartData => {
  const bySpan: (LatencyPoint | undefined)[] = times.map(() => undefined);
  for (const point of points) bySpan[spanAt(times, point.time)] = point;
  const valuesOf = (of: "p50_ms" | "p95_ms") => bySpan.map((point) => point?.[field]?.[of]);
  return {
    spans: chartSpans(times, step),
    series: [
      { key: "p95", label: "p95", color: TAIL, values: valuesOf("p95_ms") },
      { key: "p50", label: "p50", color: MEDIAN, values: valuesOf("p50_ms") },
    ],
    kind: "lines",
    measure: measureOf(metric),
    since: firstSpan(valuesOf("p50_ms")),
  };
};

interface LatencyChartsProps {
  view: View;
  /** Start times of the spans. */
  times: readonly number[];
}

/** p50 and p95 of the first byte and of the whole duration over time. */
export const LatencyCharts = ({ view, times }: LatencyChartsProps) => {
  const { t } = useTranslation();
  const { isAll, range, step, search } = view;
  const { data } = useQuery(
    latencyQuery({ isAll, range, step, by: "none", filter: filterOf(search, isAll) }),
  );
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {MEASURES.map((shown) => {
        const title = t(`dashboard.percentiles.${shown.metric}`);
        return (
          <section
            key={shown.metric}
            aria-label={title}
            className="min-w-0 rounded-lg border border-line bg-surface"
          >
            <h2 className="px-4 pt-3 font-semibold text-base">{title}</h2>
            {data ? (
              <Picture latency={data} shown={shown} view={view} times={times} title={title} />
            ) : (
              <div role="status" aria-label={t("page.loading")}>
                <ChartSkeleton heightPx={HEIGHT_PX + 44} />
              </div>
            )}
          </section>
        );
      })}
    </div>
  );
};

interface PictureProps extends LatencyChartsProps {
  latency: UserLatency;
  shown: Shown;
  title: string;
}

const Picture = ({ latency, shown, view, times, title }: PictureProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const logSearch = useLogSearch(view);
  const { step, range } = view;
  const chart = useMemo(() => percentilesChart(latency, times, step, shown), [latency, times, step, shown]);
  const { since } = latency;
  return (
    <TimeChart
      label={title}
      chart={chart}
      heightPx={HEIGHT_PX}
      onPick={(span) => {
        const begin = times[span];
        if (begin !== undefined)
          void navigate({ to: "/log", search: logSearch({ range: spanRange(begin, step, range) }) });
      }}
      pickHint={t("chart.toLog")}
      crosshair={CROSSHAIR}
      {...(since !== undefined && {
        note: t("dashboard.percentiles.newest", {
          limit: MAX_OWN_LATENCY_REQUESTS,
          time: formatSpan(since, "hour"),
        }),
      })}
    />
  );
};
