/** One budget and its measured value. */
export interface Verdict {
  what: string;
  measured: number;
  /** The most that it may be. */
  budget: number;
  /** Stands behind both numbers: " ×", " ms", " MB". */
  unit: string;
}

export const holds = ({ measured, budget }: Verdict): boolean => measured <= budget;

const formatNumber = (value: number): string =>
  Math.abs(value) < 10 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString("en");

/** "CPU per request, JSON: 2.31 ×; at most 1.5 ×: DOES NOT HOLD, by 0.81 ×". */
export const formatVerdict = (verdict: Verdict): string => {
  const { what, measured, budget, unit } = verdict;
  const outcome = holds(verdict) ? "holds" : `DOES NOT HOLD, by ${formatNumber(measured - budget)}${unit}`;
  return `${what}: ${formatNumber(measured)}${unit}; at most ${formatNumber(budget)}${unit}: ${outcome}`;
};
