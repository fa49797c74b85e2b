import { MINUTE_MS } from "./minute-meter";

/** Milliseconds until the next minute of the clock. */
export const untilNextMinuteMs = (nowMs: number): number => MINUTE_MS - (nowMs % MINUTE_MS);

/** Whole seconds to wait, at least one. @param ms until trying again is worth while. */
export const waitSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
