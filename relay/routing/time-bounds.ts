import type { TimeLimits } from "@tollgate/contract/management/time-limits";
import type { UpstreamRequest } from "../ports/transport";

/** Milliseconds that the parts of one answer may take; undefined where the process-wide time-outs apply. */
export interface TimeBounds {
  readonly isStream: boolean;
  /** Until the response headers. */
  readonly headersMs: number | undefined;
  /** Until the first content for the client; of an answer that is no stream, until it is complete. */
  readonly firstMs: number | undefined;
  /** Between two pieces of content. */
  readonly gapMs: number | undefined;
}

const inMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

/** Limits in milliseconds; the channel's own apply before those of its group. */
const limitsInMs = (channel: TimeLimits, group: TimeLimits = {}) => ({
  headersMs: inMs(channel.headersSeconds ?? group.headersSeconds),
  firstMs: inMs(channel.firstTokenSeconds ?? group.firstTokenSeconds),
  gapMs: inMs(channel.tokenGapSeconds ?? group.tokenGapSeconds),
  thinkingMs: inMs(channel.thinkingSeconds ?? group.thinkingSeconds),
  wholeMs: inMs(channel.wholeAnswerSeconds ?? group.wholeAnswerSeconds),
});
type LimitsInMs = ReturnType<typeof limitsInMs>;

/** A stream that thinks has one bound for every wait. */
const ofStream = (
  { headersMs, firstMs, gapMs, thinkingMs }: LimitsInMs,
  thinks: () => boolean,
): TimeBounds | undefined => {
  const isSet = [headersMs, firstMs, gapMs, thinkingMs].some((ms) => ms !== undefined);
  if (!isSet) return undefined;
  if (!thinks()) return { isStream: true, headersMs, firstMs, gapMs };
  if (thinkingMs === undefined) return undefined;
  return { isStream: true, headersMs: thinkingMs, firstMs: thinkingMs, gapMs: thinkingMs };
};

/** Another answer that thinks has the time to think besides the time to answer. */
const ofWhole = ({ thinkingMs, wholeMs }: LimitsInMs, thinks: () => boolean): TimeBounds | undefined => {
  if (wholeMs === undefined) return undefined;
  const bounds = { isStream: false, headersMs: undefined, gapMs: undefined, firstMs: wholeMs };
  if (!thinks()) return bounds;
  return thinkingMs === undefined ? undefined : { ...bounds, firstMs: wholeMs + thinkingMs };
};

/** The bounds of an attempt; undefined without any. @param thinks called only when it matters. */
export const timeBoundsOf = (
  channel: TimeLimits,
  group: TimeLimits | undefined,
  isStream: boolean,
  thinks: () => boolean,
): TimeBounds | undefined =>
  isStream ? ofStream(limitsInMs(channel, group), thinks) : ofWhole(limitsInMs(channel, group), thinks);

/** The connection's patience under these bounds, which may exceed the process-wide time-outs. */
export const patienceOf = ({
  isStream,
  headersMs,
  firstMs,
  gapMs,
}: TimeBounds): UpstreamRequest["patience"] => ({
  firstByteMs: (isStream ? headersMs : firstMs) ?? 0,
  idleMs: Math.max(firstMs ?? 0, gapMs ?? 0),
});
