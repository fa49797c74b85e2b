import { clsx } from "clsx";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useShownTheme } from "./chart-colors";
import { type ChartData, stackHeight } from "./chart-data";
import { plotOptions, plottedData } from "./plot-options";

interface TimePlotProps extends ChartData {
  heightPx: number;
  /** A click on a span. */
  onPick?: (span: number) => void;
  pickHint?: string;
  crosshair?: string;
}

interface Hover {
  span: number;
  /** The middle of the span in pixels from the plot's left edge, and its width. */
  middlePx: number;
  widthPx: number;
  /** Height of the drawing, without the axis. */
  heightPx: number;
  isAtEnd: boolean;
}

const readHover = (plot: uPlot): Hover | undefined => {
  const { idx, left } = plot.cursor;
  if (idx === null || idx === undefined || left === undefined || left < 0) return undefined;
  const offset = plot.bbox.left / devicePixelRatio;
  const middle = plot.valToPos(idx, "x");
  return {
    span: idx,
    middlePx: offset + middle,
    widthPx: plot.valToPos(idx + 0.5, "x") - plot.valToPos(idx - 0.5, "x"),
    heightPx: plot.bbox.height / devicePixelRatio + plot.bbox.top / devicePixelRatio,
    isAtEnd: middle > plot.bbox.width / devicePixelRatio / 2,
  };
};

/** The drawn part of a chart over time: bars or lines on a canvas, and the numbers at the pointer. */
const TimePlot = ({ spans, series, kind, measure, heightPx, onPick, pickHint, crosshair }: TimePlotProps) => {
  const box = useRef<HTMLDivElement>(null);
  const theme = useShownTheme();
  const [hover, setHover] = useState<Hover>();
  const touched = useRef<number>(undefined);
  const pick = useEffectEvent((span: number) => onPick?.(span));

  // The outside system is the canvas, which is drawn again when its data or the theme's colours change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are CSS variables of the theme.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const styles = getComputedStyle(element);
    const chart: ChartData = { spans, series, kind, measure };
    const plot = new uPlot(
      plotOptions(
        chart,
        { width: element.clientWidth, height: heightPx },
        (name) => styles.getPropertyValue(name).trim(),
        (drawn) => setHover(readHover(drawn)),
        crosshair,
      ),
      plottedData(chart),
      element,
    );
    const onClick = (event: MouseEvent) => {
      const { idx } = plot.cursor;
      if (idx === null || idx === undefined) return;
      // Touch cannot hover: the first tap shows the numbers, the second follows them.
      const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
      if (isTouch && touched.current !== idx) touched.current = idx;
      else pick(idx);
    };
    plot.over.addEventListener("click", onClick);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
      setHover(undefined);
    };
  }, [spans, series, kind, measure, heightPx, crosshair, theme]);

  return (
    <div className="relative" style={{ height: heightPx }}>
      {hover && kind === "bars" && (
        <div
          className="absolute top-0 rounded-sm"
          style={{
            background: "var(--hover)",
            left: hover.middlePx - hover.widthPx / 2,
            width: hover.widthPx,
            height: hover.heightPx,
          }}
        />
      )}
      <div ref={box} className={clsx("absolute inset-0 overflow-hidden", onPick && "chart-clickable")} />
      {hover && <Numbers {...{ spans, series, kind, measure, heightPx, pickHint, hover }} />}
    </div>
  );
};

/** The numbers under the pointer. */
const Numbers = ({
  spans,
  series,
  kind,
  measure,
  pickHint,
  hover,
}: ChartData & { pickHint?: string; hover: Hover }) => {
  const { t } = useTranslation();
  const shown = series.toReversed().filter(({ values }) => (values[hover.span] ?? 0) !== 0);
  return (
    <div
      className="floating pointer-events-none absolute top-2 z-10 max-w-64 px-3 py-2 text-xs tabular-nums"
      style={{
        left: hover.middlePx,
        transform: hover.isAtEnd
          ? `translateX(calc(-100% - ${hover.widthPx / 2 + 8}px))`
          : `translateX(${hover.widthPx / 2 + 8}px)`,
      }}
    >
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-ink-2">
          {spans[hover.span]?.isOpen
            ? t("chart.open", { name: spans[hover.span]?.name })
            : spans[hover.span]?.name}
        </span>
        {kind === "bars" && series.length > 1 && (
          <span className="font-semibold">{measure.format(stackHeight(series, hover.span))}</span>
        )}
      </div>
      {shown.length === 0 && <div className="text-ink-3">{t("chart.nothing")}</div>}
      <ul className="mt-1 flex flex-col gap-0.5">
        {shown.map(({ key, label, color, values }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span className="size-2 shrink-0 rounded-[2px]" style={{ background: `var(${color})` }} />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <span className="ps-2">{measure.format(values[hover.span] ?? 0)}</span>
          </li>
        ))}
      </ul>
      {pickHint && shown.length > 0 && <div className="mt-1.5 text-xs text-ink-3">{pickHint}</div>}
    </div>
  );
};

export default TimePlot;
