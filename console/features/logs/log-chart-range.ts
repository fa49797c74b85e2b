import type { UsageStep } from "@tollgate/contract/api/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { UsageFilter } from "../../lib/usage/usage-query";
import { STEP_SECONDS, type UsageRange } from "../../lib/usage/usage-range";
import { spanEnds, type WrittenSpan } from "../../lib/written-span";
import type { LogSearch } from "./log-search";

/** A log without a start reaches back to 1970: its chart shows the last days. */
const USUAL_DAYS = 30;
/** More days than this are indistinguishable. */
const MAX_DAYS = 366;
/** A shorter range is shown by hours. */
const HOURLY_DAYS = 3;

/** The range of a log's chart. */
export const trendRange = (span: WrittenSpan, nowMs: number): UsageRange => {
  const { from, to = toUnixSeconds(nowMs) } = spanEnds(span, nowMs);
  if (from === undefined) return { from: to - USUAL_DAYS * STEP_SECONDS.day, to };
  return { from: Math.max(from, to - MAX_DAYS * STEP_SECONDS.day), to };
};

/** Hours for some days, days for more. */
export const trendStep = ({ from, to }: UsageRange): UsageStep =>
  to - from <= HOURLY_DAYS * STEP_SECONDS.day ? "hour" : "day";

/** The log's filters that apply to the chart. */
export const trendFilter = ({ token, model, channel, username }: LogSearch): UsageFilter => ({
  token,
  model,
  channel,
  username,
});
