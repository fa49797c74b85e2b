/** A stretch of time; milliseconds since the epoch, the end excluded. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The hour (UTC) of a moment, and its day, week and month by the server's clock. Weeks begin on Monday. */
export interface Calendar {
  readonly hour: Span;
  readonly day: Span;
  readonly week: Span;
  readonly month: Span;
}

export const HOUR_MS = 60 * 60 * 1000;

export const calendarAt = (nowMs: number): Calendar => {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const monday = day - ((now.getDay() + 6) % 7);
  const span = (start: Date, end: Date): Span => ({ startMs: start.getTime(), endMs: end.getTime() });
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return {
    hour: { startMs: hourMs, endMs: hourMs + HOUR_MS },
    day: span(new Date(year, month, day), new Date(year, month, day + 1)),
    week: span(new Date(year, month, monday), new Date(year, month, monday + 7)),
    month: span(new Date(year, month, 1), new Date(year, month + 1, 1)),
  };
};
