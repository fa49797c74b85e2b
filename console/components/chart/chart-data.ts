import type { Measure } from "../../lib/usage/usage-metric";
import type { ChartColor } from "./chart-colors";

/** One position on the time axis. */
export interface ChartSpan {
  /** YYYY-MM-DD or YYYY-MM-DD HH:mm. */
  name: string;
  /** Its label on the axis. */
  short: string;
  /** Its hour or day as a running number; labels are at round ones. */
  count: number;
  /** It has not ended: its values are incomplete. */
  isOpen?: boolean;
}

export interface ChartSeries {
  key: string;
  label: string;
  color: ChartColor;
  /** One per span; undefined without data. */
  values: readonly (number | undefined)[];
}

export interface ChartData {
  spans: readonly ChartSpan[];
  /** Bars are stacked in this order, the first at the bottom. */
  series: readonly ChartSeries[];
  kind: "bars" | "lines";
  measure: Measure;
  /** The first drawn span, unless that is span 0. */
  since?: number | undefined;
}

/** The span in which data begin; undefined if that is the first one, or without data. */
export const firstSpan = (counts: readonly (number | undefined)[]): number | undefined => {
  const first = counts.findIndex((count) => count !== undefined && count > 0);
  return first > 0 ? first : undefined;
};

/** Sum of all series in one span. */
export const stackHeight = (series: readonly ChartSeries[], span: number): number =>
  series.reduce((sum, { values }) => sum + (values[span] ?? 0), 0);
