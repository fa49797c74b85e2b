import type { Measure } from "../../lib/usage/usage-metric";
import type { ChartColor } from "./chart-colors";

/** One place on the axis of time. */
export interface ChartSpan {
  /** YYYY-MM-DD or YYYY-MM-DD HH:mm. */
  name: string;
  /** As it stands at the axis. */
  short: string;
  /** The hour or day it is, counted on from span to span; labels stand at round ones. */
  count: number;
  /** It has not ended: its values are those so far. */
  isOpen?: boolean;
}

export interface ChartSeries {
  key: string;
  label: string;
  color: ChartColor;
  /** One for each span; undefined where there is nothing to speak of. */
  values: readonly (number | undefined)[];
}

export interface ChartData {
  spans: readonly ChartSpan[];
  /** Bars are stacked in this order, the first one at the bottom. */
  series: readonly ChartSeries[];
  kind: "bars" | "lines";
  measure: Measure;
  /** The span in which what is drawn begins, where it is not the first one. */
  since?: number | undefined;
}

/** The span in which data begin; undefined where that is the first one, and where there are none. */
export const firstSpan = (counts: readonly (number | undefined)[]): number | undefined => {
  const first = counts.findIndex((count) => count !== undefined && count > 0);
  return first > 0 ? first : undefined;
};

/** All series together in one span. */
export const stackHeight = (series: readonly ChartSeries[], span: number): number =>
  series.reduce((sum, { values }) => sum + (values[span] ?? 0), 0);
