import uPlot from "uplot";
import type { ChartData, ChartSpan } from "./chart-data";

/** Resolves a plot's colours, because a canvas does not know CSS variables. */
export type ResolveColor = (name: string) => string;

const MULTIPLES = [1, 2, 5];
const EXPONENTS = Array.from({ length: 20 }, (_, index) => index - 7);

/** Possible steps of an axis, ascending. */
const increments = (unit: number, isWhole: boolean): number[] =>
  EXPONENTS.flatMap((exponent) => MULTIPLES.map((multiple) => multiple * 10 ** exponent))
    .filter((increment) => !isWhole || increment >= 1)
    .map((increment) => increment * unit);

/** Possible numbers of spans between two labels: whole parts of a day, days, weeks. */
const LABEL_GAPS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168];
const LABEL_WIDTH_PX = 58;

/** Positions of the labels under a plot of this width. */
export const labelledSpans = (spans: readonly ChartSpan[], widthPx: number): number[] => {
  const fitting = Math.max(1, Math.floor(widthPx / LABEL_WIDTH_PX));
  const gap = LABEL_GAPS.find((each) => spans.length / each <= fitting) ?? spans.length;
  return spans.flatMap(({ count }, index) => (count % gap === 0 ? [index] : []));
};

type Values = (number | null)[];

const openSpan = (spans: readonly ChartSpan[]): number => spans.findIndex(({ isOpen }) => isOpen);

/** A line up to the span that has not ended, and the dashed piece into that span. */
const splitLine = (values: readonly (number | undefined)[], open: number): [ended: Values, open: Values] => {
  const before = values.findLastIndex((value, span) => span < open && value !== undefined);
  return [
    values.map((value, span) => (span === open ? null : (value ?? null))),
    values.map((value, span) => (span === open || span === before ? (value ?? null) : null)),
  ];
};

/**
 * Data of a plot: for stacked bars the cumulated series, the highest drawn first; for lines the dashed pieces after all
 * lines.
 */
export const plottedData = ({ spans, series, kind }: ChartData): uPlot.AlignedData => {
  const places = spans.map((_, index) => index);
  if (kind === "lines") {
    const open = openSpan(spans);
    const lines = series.map(({ values }) => splitLine(values, open));
    return [
      places,
      ...lines.map(([ended]) => ended),
      ...(open === -1 ? [] : lines.map(([, piece]) => piece)),
    ];
  }
  const heights: number[][] = [];
  let below = places.map(() => 0);
  for (const { values } of series) {
    below = below.map((height, span) => height + (values[span] ?? 0));
    heights.push(below);
  }
  // A bar of zero height would still have an outline.
  return [places, ...heights.reverse().map((tops) => tops.map((top) => (top === 0 ? null : top)))];
};

const FONT = '12px "Inter", -apple-system, "Segoe UI", "Roboto", sans-serif';
/** Lines with more spans have no dots. */
const MAX_DOTTED_SPANS = 40;
/** Dash and gap, in pixels, in a span that has not ended. */
const OPEN_DASH = [3, 4];
/** Narrower bars have no room for an outline. */
const OUTLINED_FROM_PX = 7;

const plotSeries = (
  { series, kind, spans }: ChartData,
  widthPx: number,
  color: ResolveColor,
): uPlot.Series[] => {
  if (kind === "lines") {
    const lines = series.map((each) => ({
      stroke: color(each.color),
      width: 2,
      // Spans without data must not interrupt the line.
      spanGaps: true,
      points: { show: spans.length <= MAX_DOTTED_SPANS, size: 5, fill: color(each.color) },
    }));
    if (openSpan(spans) === -1) return lines;
    const pieces = series.map((each) => ({
      stroke: color(each.color),
      width: 2,
      spanGaps: true,
      dash: OPEN_DASH,
      points: { show: true, size: 5, fill: color("--surface") },
    }));
    return [...lines, ...pieces];
  }
  const isOutlined = series.length > 1 && widthPx / spans.length >= OUTLINED_FROM_PX;
  const bars = uPlot.paths.bars?.({ size: [0.74, 56], gap: 0 });
  return series.toReversed().map((each) => ({
    fill: color(each.color),
    stroke: color("--surface"),
    width: isOutlined ? 1 : 0,
    paths: bars,
    points: { show: false },
  }));
};

/** Distance and width, in pixels, of the strokes over a span that has not ended. */
const HATCH_GAP_PX = 6;
const HATCH_WIDTH_PX = 2;

/** Draws background-coloured strokes over the span that has not ended, so that it looks hatched. */
const hatchOpenSpan = (plot: uPlot, spans: readonly ChartSpan[], color: string): void => {
  const open = openSpan(spans);
  if (open === -1) return;
  const { ctx, bbox } = plot;
  const [left, right] = [open - 0.5, open + 0.5].map((place) => plot.valToPos(place, "x", true)) as [
    number,
    number,
  ];
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, right - left, bbox.height);
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = HATCH_WIDTH_PX * devicePixelRatio;
  ctx.beginPath();
  for (let x = left - bbox.height; x < right; x += HATCH_GAP_PX * devicePixelRatio) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
};

/** uPlot's options for a chart. */
export const plotOptions = (
  chart: ChartData,
  size: { width: number; height: number },
  color: ResolveColor,
  onHover: (plot: uPlot) => void,
  crosshair?: string,
): uPlot.Options => {
  const { spans, kind, measure } = chart;
  return {
    ...size,
    padding: [10, 20, 0, 0],
    legend: { show: false },
    cursor: {
      x: kind === "lines",
      y: false,
      // The line snaps to a span.
      move: (plot, left, top) => [left < 0 ? left : plot.valToPos(plot.posToIdx(left), "x"), top],
      // Without dragging: by default a click away from the line counts as a drag and is swallowed.
      drag: { x: false, y: false, setScale: false, click: () => undefined },
      points: { show: kind === "lines", size: 8 },
      ...(crosshair !== undefined && { sync: { key: crosshair, scales: ["x", null] } }),
    },
    scales: {
      x: { time: false, range: [-0.5, spans.length - 0.5] },
      y: { range: (_plot, _min, most) => [0, most > 0 ? most * 1.04 : 1] },
    },
    axes: [
      {
        stroke: color("--ink-3"),
        font: FONT,
        size: 26,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        splits: (plot) => labelledSpans(spans, plot.bbox.width / devicePixelRatio),
        values: (_plot, places) => places.map((place) => spans[place]?.short ?? ""),
      },
      {
        stroke: color("--ink-3"),
        font: FONT,
        gap: 8,
        space: 44,
        size: (_plot, labels) => 16 + 6.6 * Math.max(2, ...(labels ?? []).map((label) => label.length)),
        grid: { stroke: color("--line"), width: 1 },
        ticks: { show: false },
        incrs: increments(measure.unit, measure.isWhole),
        values: (_plot, values, _axis, _space, step) =>
          values.map((value) => measure.formatAxis(value, step)),
      },
    ],
    series: [{}, ...plotSeries(chart, size.width, color)],
    hooks: {
      setCursor: [onHover],
      draw: [(plot) => kind === "bars" && hatchOpenSpan(plot, spans, color("--surface"))],
    },
  };
};
