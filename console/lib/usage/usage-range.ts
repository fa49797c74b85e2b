import type { UsageStep } from "@tollgate/contract/api/usage";
import { formatDate, formatTime } from "../format";

/** A range of time, both ends inclusive, in unix seconds. */
export interface UsageRange {
  from: number;
  to: number;
}

/** A range as addresses have it: both ends in the displayed time format. */
export const writeRange = ({ from, to }: UsageRange): { from: string; to: string } => ({
  from: formatTime(from),
  to: formatTime(to),
});

export const STEP_SECONDS: Record<UsageStep, number> = { hour: 3600, day: 86_400 };

/** Beyond this many hours, hourly points are thinner than a pixel or two. */
const MAX_HOURS = 14 * 24;

/** Whether a range can be shown in this step. */
export const fitsStep = ({ from, to }: UsageRange, step: UsageStep): boolean =>
  step === "day" || (to - from) / STEP_SECONDS.hour <= MAX_HOURS;

/** Minutes that this browser's clock is ahead of UTC. */
export const clockOffsetMinutes = (): number => -new Date().getTimezoneOffset();

/**
 * Start times of a range's spans, cut like the server's: whole hours or days of a clock `offsetMinutes` ahead of UTC.
 */
export const spanBegins = ({ from, to }: UsageRange, step: UsageStep, offsetMinutes: number): number[] => {
  const size = STEP_SECONDS[step];
  const offset = offsetMinutes * 60;
  const begins: number[] = [];
  for (let at = Math.floor((from + offset) / size) * size - offset; at <= to; at += size) begins.push(at);
  return begins;
};

/** The part of a span that lies in the range. */
export const spanRange = (begin: number, step: UsageStep, { from, to }: UsageRange): UsageRange => ({
  from: Math.max(begin, from),
  to: Math.min(begin + STEP_SECONDS[step] - 1, to),
});

const HALF_DAY_SECONDS = 43_200;

/** Uses the middle of the day, which stays inside it when a clock change moves midnight. */
const dayOf = (begin: number): string => formatDate(new Date((begin + HALF_DAY_SECONDS) * 1000)).slice(0, 10);

/** Whether a span has begun and not ended, so that its counts are incomplete. @param now unix seconds. */
export const isOpenSpan = (begin: number, step: UsageStep, now = Date.now() / 1000): boolean =>
  begin <= now && now < begin + STEP_SECONDS[step];

/** A span's full name: YYYY-MM-DD, with HH:mm for hours. */
export const formatSpan = (begin: number, step: UsageStep): string =>
  step === "day" ? dayOf(begin) : formatDate(new Date(begin * 1000)).slice(0, 16);

/** A span's short name for an axis: MM-DD, or HH:mm; the first hour of a day shows the day. */
export const formatSpanShort = (begin: number, step: UsageStep): string => {
  if (step === "day") return dayOf(begin).slice(5);
  const text = formatDate(new Date(begin * 1000));
  return text.slice(11, 16) === "00:00" ? text.slice(5, 10) : text.slice(11, 16);
};

/** The spans as positions on a chart's axis. */
export const chartSpans = (begins: readonly number[], step: UsageStep) => {
  const offset = clockOffsetMinutes() * 60;
  return begins.map((begin) => ({
    name: formatSpan(begin, step),
    short: formatSpanShort(begin, step),
    isOpen: isOpenSpan(begin, step),
    // Hours and days of this clock, so that labels are at midnight.
    count: Math.floor((begin + offset) / STEP_SECONDS[step]),
  }));
};
