import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../button";
import { LazyBoundary } from "../lazy-boundary";
import type { ChartData, ChartSeries } from "./chart-data";
import { ChartTable } from "./chart-table";

interface TimeChartProps {
  /** The chart's subject, for screen readers. */
  label: string;
  chart: ChartData;
  heightPx?: number;
  /** A click on a span. */
  onPick?: (span: number) => void;
  /** Explains the click. */
  pickHint?: string;
  /** A series' entry in the legend; its name by default. */
  legendEntry?: (series: ChartSeries) => ReactNode;
  /** Charts with the same spans and the same name here share the pointer position. */
  crosshair?: string;
  /** Range of the numbers, if it is shorter than the chart's. */
  note?: string;
}

/** A chart over time with its legend, and its numbers as a table. */
export const TimeChart = ({
  label,
  chart,
  heightPx = 260,
  onPick,
  pickHint,
  legendEntry,
  crosshair,
  note,
}: TimeChartProps) => {
  const { t } = useTranslation();
  const [isTableShown, setTableShown] = useState(false);
  const since = chart.since === undefined ? undefined : chart.spans[chart.since]?.name;
  const remark = note ?? (since === undefined ? undefined : t("chart.since", { name: since }));
  return (
    <figure aria-label={label}>
      <div aria-hidden="true" className="px-2 pt-2">
        {/* The drawing library is loaded only if there is data. */}
        <LazyBoundary
          load={() => import("./time-plot")}
          with={{ ...chart, heightPx, onPick, pickHint, crosshair }}
          fallback={<ChartSkeleton heightPx={heightPx} />}
        />
      </div>
      <div className="flex items-start justify-between gap-3 px-4 py-2">
        <ul className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 py-1.5 text-xs text-ink-2">
          {chart.series.map((series) => (
            <li key={series.key} className="flex min-w-0 max-w-full items-center gap-1.5">
              <span
                aria-hidden
                className="size-2 shrink-0 rounded-[2px]"
                style={{ background: `var(${series.color})` }}
              />
              {legendEntry?.(series) ?? <span className="truncate">{series.label}</span>}
            </li>
          ))}
          {remark !== undefined && <li className="text-ink-3 tabular-nums">{remark}</li>}
        </ul>
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isTableShown}
          onClick={() => setTableShown(!isTableShown)}
        >
          {isTableShown ? t("chart.hideTable") : t("chart.showTable")}
        </Button>
      </div>
      <ChartTable {...chart} label={label} isShown={isTableShown} onPick={onPick} />
    </figure>
  );
};

/** Heights of the placeholder bars, in per cent. */
const SKELETON_BARS = [34, 52, 45, 66, 58, 80, 72, 61, 88, 70, 54, 76, 64, 49];

/** Placeholder of a chart. */
export const ChartSkeleton = ({ heightPx }: { heightPx: number }) => (
  <div className="flex items-end gap-4 px-6 pb-6" style={{ height: heightPx }}>
    {SKELETON_BARS.map((height) => (
      <div key={height} className="skeleton flex-1 " style={{ height: `${height}%` }} />
    ))}
  </div>
);
