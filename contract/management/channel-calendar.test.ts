import { describe, expect, it } from "vitest";
import { calendarState, encodeChannelCalendar, parseChannelCalendar } from "./channel-calendar";

const at = (text: string): number => Date.parse(text);
const OFFICE = parseChannelCalendar(
  JSON.stringify({
    timeZone: "Asia/Shanghai",
    hours: [{ days: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" }],
  }),
);
const NIGHT = parseChannelCalendar(JSON.stringify({ hours: [{ days: [7], from: "22:30", to: "06:00" }] }));

const stateOf = (calendar: ReturnType<typeof parseChannelCalendar>, moment: string, closedUntil = 0) =>
  calendarState(calendar ?? {}, closedUntil, at(moment));

describe("a channel's calendar", () => {
  it.each([
    ["2026-11-23T00:00:00Z", "open"],
    ["2026-11-22T23:59:59Z", "hours"],
    ["2026-11-23T09:59:59Z", "open"],
    ["2026-11-23T10:00:00Z", "hours"],
    ["2026-11-21T02:00:00Z", "hours"],
  ])("has hours by the clocks of its time zone: at %s it is %s", (moment, state) => {
    expect(stateOf(OFFICE, moment)).toBe(state);
  });

  it.each([
    ["2026-11-22T22:29:00Z", "hours"],
    ["2026-11-22T22:30:00Z", "open"],
    ["2026-11-23T05:59:00Z", "open"],
    ["2026-11-23T06:00:00Z", "hours"],
    ["2026-11-23T23:00:00Z", "hours"],
    ["2026-11-22T03:00:00Z", "hours"],
  ])("has hours that go on into the next day: at %s it is %s", (moment, state) => {
    expect(stateOf(NIGHT, moment)).toBe(state);
  });

  it("is open for whole days, and always where it says nothing", () => {
    const whole = parseChannelCalendar('{"hours":[{"days":[1],"from":"00:00","to":"24:00"}]}');
    expect(stateOf(whole, "2026-11-23T23:59:59Z")).toBe("open");
    expect(stateOf(whole, "2026-11-24T00:00:00Z")).toBe("hours");
    expect(stateOf({}, "2026-11-23T12:00:00Z", 9_999_999_999)).toBe("open");
  });

  it("goes by the local clock when one hour comes twice or not at all", () => {
    const night = parseChannelCalendar(
      '{"timeZone":"Europe/Berlin","hours":[{"days":[7],"from":"02:00","to":"03:00"}]}',
    );
    expect(["00:30", "01:30"].map((time) => stateOf(night, `2026-10-25T${time}:00Z`))).toEqual([
      "open",
      "open",
    ]);
    expect(["00:30", "01:30"].map((time) => stateOf(night, `2026-03-29T${time}:00Z`))).toEqual([
      "hours",
      "hours",
    ]);
  });

  it("ends, whatever its hours say, and a used-up window closes it until its time", () => {
    const both = parseChannelCalendar(
      JSON.stringify({
        endsAt: at("2026-12-01T00:00:00Z") / 1000,
        windows: [{ hours: 5, limit: 9, unit: "requests" }],
      }),
    );
    const until = at("2026-11-23T05:00:00Z") / 1000;
    expect(stateOf(both, "2026-11-23T04:59:59Z", until)).toBe("window");
    expect(stateOf(both, "2026-11-23T05:00:00Z", until)).toBe("open");
    expect(stateOf(both, "2026-12-01T00:00:00Z", 9_999_999_999)).toBe("ended");
  });

  it.each([
    "[]",
    "{",
    '{"hours":[]}',
    '{"hours":[{"days":[0],"from":"08:00","to":"18:00"}]}',
    '{"hours":[{"days":[1],"from":"8:00","to":"18:00"}]}',
    '{"hours":[{"days":[1],"from":"08:00","to":"24:30"}]}',
    '{"timeZone":"Mars/Olympus"}',
    '{"endsAt":0}',
    '{"windows":[{"hours":0,"limit":1,"unit":"requests"}]}',
    '{"windows":[{"hours":5,"limit":1,"unit":"moons"}]}',
    '{"opens":1}',
  ])("is not %s", (text) => {
    expect(parseChannelCalendar(text)).toBeUndefined();
  });

  it("comes back as it was written", () => {
    expect(encodeChannelCalendar(parseChannelCalendar(" ") ?? { endsAt: 1 })).toBe("");
    expect(parseChannelCalendar(encodeChannelCalendar(OFFICE ?? {}))).toEqual(OFFICE);
  });
});
