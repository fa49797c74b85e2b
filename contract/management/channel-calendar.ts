import * as z from "zod/mini";
import { tryParseJson } from "../values/parse-json";

/*
 * When a channel is open: the hours of a week, an end date, and how much of a subscription may be used within a window of time
 * ("5 hours", "a week"), as coding plans have them. JSON text on the wire (docs/guides/channels.md).
 */

/** "HH:MM", up to "24:00", the end of a day. */
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/;
const time = z.string().check(z.regex(TIME));

/** From one time of some days to another; one that is not later is that of the day after. */
const hoursSchema = z.strictObject({
  /** 1 for Monday to 7 for Sunday; on which of them it begins. */
  days: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1), z.maxLength(7)),
  from: time,
  to: time,
});

/** A fortnight and a month of 31 days are the longest that plans have. */
const MAX_HOURS = 31 * 24;

export const WINDOW_UNITS = ["requests", "quota"] as const;
export type WindowUnit = (typeof WINDOW_UNITS)[number];

const windowSchema = z.strictObject({
  /** How long it lasts; it begins with the first request after the last one ended. */
  hours: z.int().check(z.gte(1), z.lte(MAX_HOURS)),
  /** How much may be used in it. */
  limit: z.int().check(z.gte(1)),
  /** Answered requests, or their charges. */
  unit: z.enum(WINDOW_UNITS),
});

const MAX_RANGES = 28;
const MAX_WINDOWS = 4;

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** As it is written in a file of configuration. */
export const channelCalendarSchema = z.strictObject({
  /** In which the hours are meant: a name of the IANA database; UTC where it is left out. */
  timeZone: z.optional(z.string().check(z.maxLength(64), z.refine(isTimeZone))),
  /** When it is open; always where it is left out. */
  hours: z.optional(z.array(hoursSchema).check(z.minLength(1), z.maxLength(MAX_RANGES))),
  /** Unix seconds from which on it is closed for good. */
  endsAt: z.optional(z.int().check(z.positive())),
  windows: z.optional(z.array(windowSchema).check(z.minLength(1), z.maxLength(MAX_WINDOWS))),
});

export type ChannelHours = z.infer<typeof hoursSchema>;
export type ChannelWindow = z.infer<typeof windowSchema>;
export type ChannelCalendar = z.infer<typeof channelCalendarSchema>;

/**
 * Reads the JSON text of a calendar.
 * @returns {} for blank text; undefined for an invalid one.
 */
export const parseChannelCalendar = (text: string): ChannelCalendar | undefined => {
  if (text.trim() === "") return {};
  return channelCalendarSchema.safeParse(tryParseJson(text)).data;
};

/** @returns "" for a calendar that says nothing. */
export const encodeChannelCalendar = (calendar: ChannelCalendar): string =>
  Object.keys(calendar).length === 0 ? "" : JSON.stringify(calendar);

const DAY_MINUTES = 24 * 60;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Creating a format costs more than all its uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  return format;
};

/** The day of the week (1 for Monday) and the minute of the day, by the clocks of a time zone. */
const clockAt = (timeZone: string, nowMs: number): { day: number; minute: number } => {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: WEEKDAYS.indexOf(parts.get("weekday") ?? "") + 1,
    minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
  };
};

const isWithin = (
  { days, from, to }: ChannelHours,
  clock: { readonly day: number; readonly minute: number },
): boolean => {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const yesterday = clock.day === 1 ? 7 : clock.day - 1;
  if (end > start) return days.includes(clock.day) && clock.minute >= start && clock.minute < end;
  return (
    (days.includes(clock.day) && clock.minute >= start && clock.minute < DAY_MINUTES) ||
    (days.includes(yesterday) && clock.minute < end)
  );
};

/** "hours": outside of them; "window": the allowance of a window is used up; "ended": for good. */
export type CalendarState = "open" | "hours" | "window" | "ended";

/**
 * Whether a channel is open at a moment, to the minute.
 * @param closedUntil unix seconds until which a window keeps it closed; 0 for none.
 * @param nowMs milliseconds since the epoch.
 */
export const calendarState = (
  { timeZone = "UTC", hours, endsAt, windows }: ChannelCalendar,
  closedUntil: number,
  nowMs: number,
): CalendarState => {
  if (endsAt !== undefined && nowMs >= endsAt * 1000) return "ended";
  if (windows && closedUntil * 1000 > nowMs) return "window";
  if (hours && !hours.some((range) => isWithin(range, clockAt(timeZone, nowMs)))) return "hours";
  return "open";
};
