import { toUnixSeconds } from "@tollgate/contract/values/time";
import { readText } from "./address-values";
import { formatTime, parseDate } from "./format";
import { isPast, type Preset, presetRange } from "./usage/usage-presets";

/** Presets for the time range of a list. */
export const SPAN_PRESETS = [
  "today",
  "yesterday",
  "7d",
  "thisMonth",
  "lastMonth",
] as const satisfies readonly Preset[];
export type SpanPreset = (typeof SPAN_PRESETS)[number];

/** The time range of a list in the address: a preset, or its ends as typed. */
export interface WrittenSpan {
  range?: SpanPreset;
  from?: string;
  to?: string;
}

/** Reads the range from the address. A preset replaces typed ends. */
export const readWrittenSpan = ({ range, from, to }: Record<string, unknown>): WrittenSpan => {
  const preset = SPAN_PRESETS.find((each) => each === range);
  return { range: preset, from: preset ? undefined : readText(from), to: preset ? undefined : readText(to) };
};

/** Both ends of a range in Unix seconds; undefined is no limit. */
interface SpanEnds {
  from: number | undefined;
  to: number | undefined;
}

const seconds = (written: string | undefined): number | undefined => {
  const date = parseDate(written ?? "");
  return date && toUnixSeconds(date.getTime());
};

/** The last second of a written day, which may have 23 or 25 hours; of a written time, the time. */
const endSeconds = (written: string | undefined): number | undefined => {
  const date = parseDate(written ?? "");
  if (!date || /:/.test(written ?? "")) return date && toUnixSeconds(date.getTime());
  return toUnixSeconds(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()) - 1;
};

/** Whether the text is a time, or empty for no limit. */
export const isWrittenTime = (text = ""): boolean => text.trim() === "" || parseDate(text) !== undefined;

/** The ends of the range. A typed end without a time includes the whole day; a preset that ends now has no end. */
export const spanEnds = ({ range, from, to }: WrittenSpan, nowMs: number): SpanEnds => {
  if (range) {
    const ends = presetRange(range, new Date(nowMs));
    return { from: ends.from, to: isPast(range) ? ends.to : undefined };
  }
  return { from: seconds(from), to: endSeconds(to) };
};

/** The range as its typed ends, to be edited further. */
export const writeEnds = (span: WrittenSpan, nowMs: number): WrittenSpan => {
  if (!span.range) return { range: undefined, from: span.from, to: span.to };
  const { from, to } = spanEnds(span, nowMs);
  const write = (end: number | undefined) => (end === undefined ? undefined : formatTime(end));
  return { range: undefined, from: write(from), to: write(to) };
};

/** The query parameters of the range in Unix seconds; 0 is no limit. */
export const spanParameters = (span: WrittenSpan, nowMs = Date.now()) => {
  const { from = 0, to = 0 } = spanEnds(span, nowMs);
  return { start_timestamp: from, end_timestamp: to };
};
