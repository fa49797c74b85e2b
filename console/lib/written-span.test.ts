import { afterAll, describe, expect, it, vi } from "vitest";
import {
  readWrittenSpan,
  SPAN_PRESETS,
  type SpanPreset,
  spanEnds,
  spanParameters,
  writeEnds,
} from "./written-span";

const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const liveIn = (zone: string): void => void vi.stubEnv("TZ", zone);

afterAll(() => liveIn(ownZone));

const unix = (iso: string): number => Date.parse(iso) / 1000;

/** The ends of a preset, in the zone that is set. */
const endsAt = (range: SpanPreset, iso: string) => spanEnds({ range }, Date.parse(iso));

const HOUR = 3600;

describe("presets of a list's range", () => {
  it.each([
    ["Asia/Shanghai", "2026-11-29T01:00:00+08:00", "2026-11-28T00:00:00+08:00", 24],
    ["America/New_York", "2026-11-29T01:00:00Z", "2026-11-27T00:00:00-05:00", 24],
    // The clock goes forward, and back.
    ["Europe/Berlin", "2026-03-30T12:00:00+02:00", "2026-03-29T00:00:00+01:00", 23],
    ["Europe/Berlin", "2026-10-26T12:00:00+01:00", "2026-10-25T00:00:00+02:00", 25],
    ["Australia/Lord_Howe", "2026-04-06T12:00:00+10:30", "2026-04-05T00:00:00+11:00", 24.5],
    // The day has no midnight, and two.
    ["America/Santiago", "2026-09-07T12:00:00-03:00", "2026-09-06T01:00:00-03:00", 23],
    ["America/Havana", "2026-11-02T12:00:00-05:00", "2026-11-01T00:00:00-04:00", 25],
  ])("yesterday in %s at %s begins at %s and has %d hours", (zone, now, begin, hours) => {
    liveIn(zone);
    const { from = 0, to = 0 } = endsAt("yesterday", now);
    expect(from).toBe(unix(begin));
    expect(to - from + 1).toBe(hours * HOUR);
    // It ends where today begins, which has no end: new lines belong to it.
    expect(endsAt("today", now)).toEqual({ from: to + 1, to: undefined });
  });

  it("7 days are whole days, today included", () => {
    liveIn("Europe/Berlin");
    const now = "2026-03-31T12:00:00+02:00";
    expect(endsAt("7d", now)).toEqual({ from: unix("2026-03-25T00:00:00+01:00"), to: undefined });
  });

  it.each([
    ["2026-03-31T23:59:59+02:00", "2026-03-01T00:00:00+01:00", "2026-02-01T00:00:00+01:00"],
    ["2026-04-01T00:00:00+02:00", "2026-04-01T00:00:00+02:00", "2026-03-01T00:00:00+01:00"],
    ["2026-01-15T12:00:00+01:00", "2026-01-01T00:00:00+01:00", "2025-12-01T00:00:00+01:00"],
  ])("months are those of the calendar at %s", (now, thisMonth, lastMonth) => {
    liveIn("Europe/Berlin");
    expect(endsAt("thisMonth", now)).toEqual({ from: unix(thisMonth), to: undefined });
    expect(endsAt("lastMonth", now)).toEqual({ from: unix(lastMonth), to: unix(thisMonth) - 1 });
  });

  it("are written as typed ends, which mean the same", () => {
    liveIn("Europe/Berlin");
    const now = Date.parse("2026-10-26T12:00:00+01:00");
    expect(writeEnds({ range: "yesterday" }, now)).toEqual({
      range: undefined,
      from: "2026-10-25 00:00:00",
      to: "2026-10-25 23:59:59",
    });
    for (const range of SPAN_PRESETS)
      expect(spanEnds(writeEnds({ range }, now), now)).toEqual(spanEnds({ range }, now));
  });
});

describe("a list's range in the address", () => {
  it("has a preset, or typed ends", () => {
    expect(readWrittenSpan({ range: "today", from: "2026-01-01" })).toEqual({ range: "today" });
    expect(readWrittenSpan({ range: "own", from: "2026-01-01", to: 7 })).toEqual({ from: "2026-01-01" });
  });

  it.each([
    ["2026-03-29", "2026-03-30T00:00:00+02:00"],
    ["2026-10-25", "2026-10-26T00:00:00+01:00"],
  ])("ends with the day %s where it is typed without a time", (to, next) => {
    liveIn("Europe/Berlin");
    expect(spanParameters({ to })).toEqual({ start_timestamp: 0, end_timestamp: unix(next) - 1 });
  });
});
