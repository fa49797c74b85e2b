import type { StatusShare } from "@tollgate/contract/api/model-status";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { formatTime } from "../../lib/format";
import { STEP_SECONDS } from "../../lib/usage/usage-range";

export const STATUS_SPANS = ["day", "week", "month"] as const;
export type StatusSpan = (typeof STATUS_SPANS)[number];

interface Bar {
  model: string;
  span: StatusSpan;
  /** Unix seconds of the figures. */
  updatedAt: number;
  share: StatusShare | null;
  /** Bars after this one. */
  ago: number;
}

/** The log page's search for the requests behind a bar; undefined without requests. */
export interface BarLines {
  model: string;
  from: string;
  to: string;
  type?: number;
}

/** Bars are whole hours or days in UTC, as the server sums them. A bar with failures leads to the failures. */
export const barLines = ({ model, span, updatedAt, share, ago }: Bar): BarLines | undefined => {
  if (share === null) return undefined;
  const step = STEP_SECONDS[span === "day" ? "hour" : "day"];
  const begin = Math.floor(updatedAt / step) * step - ago * step;
  return {
    model,
    from: formatTime(begin),
    to: formatTime(begin + step - 1),
    // Few requests have no share: some may have failed.
    ...(share === "few" ? {} : { type: share === 1 ? LOG_CONSUME : LOG_ERROR }),
  };
};
