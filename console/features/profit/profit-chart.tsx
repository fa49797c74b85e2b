import { useNavigate } from "@tanstack/react-router";
import type { ProfitRow } from "@tollgate/contract/api/profit";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ERROR_COLOR, GROUP_COLORS, OTHER_COLOR } from "../../components/chart/chart-colors";
import { type ChartData, type ChartSeries, firstSpan } from "../../components/chart/chart-data";
import { ChartSkeleton, TimeChart } from "../../components/chart/time-chart";
import { formatTime } from "../../lib/format";
import { measureOf } from "../../lib/usage/usage-metric";
import {
  chartSpans,
  clockOffsetMinutes,
  formatSpan,
  spanBegins,
  spanRange,
  type UsageRange,
} from "../../lib/usage/usage-range";

import type { ProfitFilter } from "./profit-search";

const HEIGHT_PX = 240;

interface ProfitChartProps {
  /** By day; undefined while loading. */
  days: readonly ProfitRow[] | undefined;
  range: UsageRange;
  /** There were requests before the range, so a late first one does not mean that data begin there. */
  hasEarlier: boolean;
  filter: ProfitFilter;
}

/** Revenue and cost per day. */
export const ProfitChart = ({ days, range, hasEarlier, filter }: ProfitChartProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const times = useMemo(() => spanBegins(range, "day", clockOffsetMinutes()), [range]);
  const title = t("profit.chart");
  const chart = useMemo((): ChartData | undefined => {
    if (!days) return undefined;
    const byDay = new Map(days.map((day) => [day.key, day]));
    const values = (of: (day: ProfitRow) => number): number[] =>
      times.map((time) => {
        const day = byDay.get(formatSpan(time, "day"));
        return day ? of(day) : 0;
      });
    const unknown = values(({ revenue, costedRevenue }) => revenue - costedRevenue);
    const series: ChartSeries[] = [
      {
        key: "revenue",
        label: t("profit.sum.revenue"),
        color: GROUP_COLORS[0],
        values: values(({ revenue }) => revenue),
      },
      {
        key: "cost",
        label: t("profit.sum.cost"),
        color: ERROR_COLOR,
        values: values(({ cost }) => cost / COST_UNITS),
      },
    ];
    if (unknown.some((each) => each > 0))
      series.push({ key: "unknown", label: t("profit.unknownRevenue"), color: OTHER_COLOR, values: unknown });
    return {
      spans: chartSpans(times, "day"),
      series,
      kind: "lines",
      measure: measureOf("quota"),
      since: hasEarlier ? undefined : firstSpan(values(({ requests }) => requests)),
    };
  }, [days, times, hasEarlier, t]);
  const pick = (span: number): void => {
    const begin = times[span];
    if (begin === undefined) return;
    const { from, to } = spanRange(begin, "day", range);
    void navigate({
      to: "/log",
      search: { type: LOG_CONSUME, from: formatTime(from), to: formatTime(to), ...filter },
    });
  };
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface">
      <h2 className="px-4 pt-3 font-semibold text-lg">{title}</h2>
      {chart ? (
        <TimeChart
          label={title}
          chart={chart}
          heightPx={HEIGHT_PX}
          onPick={pick}
          pickHint={t("chart.toLog")}
        />
      ) : (
        <div role="status" aria-label={t("page.loading")}>
          <ChartSkeleton heightPx={HEIGHT_PX + 54} />
        </div>
      )}
    </section>
  );
};
