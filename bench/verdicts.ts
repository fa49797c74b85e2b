/** One bar and what was measured against it. */
export interface Verdict {
  what: string;
  measured: number;
  /** The most that it may be. */
  bar: number;
  /** Stands behind both numbers: " ×", " ms", " MB". */
  unit: string;
}

/** Whether the bar holds. */
export const holds = ({ measured, bar }: Verdict): boolean => measured <= bar;

const formatNumber = (value: number): string =>
  Math.abs(value) < 10 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString("en");

/** "CPU per request, JSON: 2.31 ×; at most 1.5 ×: DOES NOT HOLD, by 0.81 ×". */
export const formatVerdict = (verdict: Verdict): string => {
  const { what, measured, bar, unit } = verdict;
  const outcome = holds(verdict) ? "holds" : `DOES NOT HOLD, by ${formatNumber(measured - bar)}${unit}`;
  return `${what}: ${formatNumber(measured)}${unit}; at most ${formatNumber(bar)}${unit}: ${outcome}`;
};
