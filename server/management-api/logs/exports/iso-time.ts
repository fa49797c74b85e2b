/** The last moment that a date can hold, in milliseconds (https://tc39.es/ecma262/#sec-time-values-and-time-range). */
const LAST_MS = 8.64e15;

const two = (value: number): string => String(value).padStart(2, "0");

/** "+08:00"; "Z" for UTC itself. */
const offsetName = (minutes: number): string => {
  if (minutes === 0) return "Z";
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};

/**
 * Formats times as ISO 8601, with an offset: "2026-01-31T08:00:00+08:00".
 * @param offsetMinutes of the clock from UTC.
 * @returns formats unix seconds; "" for 0, which means never, and for an invalid time.
 */
export const isoTimes = (offsetMinutes: number): ((seconds: number) => string) => {
  const name = offsetName(offsetMinutes);
  return (seconds) => {
    const ms = (seconds + offsetMinutes * 60) * 1000;
    return seconds === 0 || !(Math.abs(ms) <= LAST_MS) ? "" : new Date(ms).toISOString().slice(0, -5) + name;
  };
};
