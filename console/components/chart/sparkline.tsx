import type { ChartColor } from "./chart-colors";

interface SparklineProps {
  values: readonly (number | undefined)[];
  color?: ChartColor;
  /** The last value belongs to a span that has not ended. */
  isOpen?: boolean;
  className?: string;
}

const WIDTH = 100;
const HEIGHT = 24;
/** Room for the line's width. */
const INSET = 1.5;

/** A value's curve, as small as a word. It repeats numbers beside it, so screen readers skip it. */
export const Sparkline = ({
  values,
  color = "--chart-1",
  isOpen = false,
  className = "h-6 w-full",
}: SparklineProps) => {
  const most = Math.max(...values.map((value) => value ?? 0));
  const last = Math.max(1, values.length - 1);
  const points = values.flatMap((value, index): string[] => {
    // A mean without requests is no point: the line continues at the next one.
    if (value === undefined) return [];
    const height = most === 0 ? 0 : (value / most) * (HEIGHT - 2 * INSET);
    return [`${((index / last) * WIDTH).toFixed(1)},${(HEIGHT - INSET - height).toFixed(1)}`];
  });
  const [begin] = points[0]?.split(",") ?? [];
  const [end] = points.at(-1)?.split(",") ?? [];
  const line = points.join(" ");
  const hasOpenEnd = isOpen && points.length > 1 && values.at(-1) !== undefined;
  const stroke = {
    fill: "none",
    stroke: `var(${color})`,
    strokeWidth: 1.5,
    strokeLinejoin: "round",
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  } as const;
  if (points.length === 0) return <span aria-hidden className={className} />;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={className}
    >
      <polygon points={`${begin},${HEIGHT} ${line} ${end},${HEIGHT}`} fill={`var(${color})`} opacity={0.13} />
      <polyline points={hasOpenEnd ? points.slice(0, -1).join(" ") : line} {...stroke} />
      {hasOpenEnd && (
        <polyline points={points.slice(-2).join(" ")} strokeDasharray="1.5 3" opacity={0.7} {...stroke} />
      )}
    </svg>
  );
};
