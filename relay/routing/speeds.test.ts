import { describe, expect, it } from "vitest";
import { Speeds } from "./speeds";

const setUp = () => {
  const clock = { nowMs: 1_000_000 };
  return { clock, speeds: new Speeds(() => clock.nowMs) };
};

describe("measured speeds", () => {
  it("are an average with the most weight on the latest measurement, apart for streams and whole answers", () => {
    const { speeds } = setUp();
    expect(speeds.firstByteMs("1/a", "m", true)).toBeUndefined();
    speeds.measure("1/a", "m", true, 100);
    expect(speeds.firstByteMs("1/a", "m", true)).toBe(100);
    speeds.measure("1/a", "m", true, 200);
    expect(speeds.firstByteMs("1/a", "m", true)).toBeCloseTo(120);
    for (let i = 0; i < 30; i += 1) speeds.measure("1/a", "m", true, 400);
    expect(speeds.firstByteMs("1/a", "m", true)).toBeCloseTo(400, -1);
    expect(speeds.firstByteMs("1/a", "m", false)).toBeUndefined();
    expect(speeds.firstByteMs("1/a", "other", true)).toBeUndefined();
    speeds.measure("1/a", "m", false, 900);
    expect(speeds.of("1/a")).toMatchObject([
      { model: "m", isStream: true },
      { model: "m", isStream: false, firstByteMs: 900 },
    ]);
  });

  it("expire after ten minutes, and start again then", () => {
    const { clock, speeds } = setUp();
    speeds.measure("1/a", "m", true, 5000);
    clock.nowMs += 10 * 60_000;
    expect(speeds.firstByteMs("1/a", "m", true)).toBe(5000);
    clock.nowMs += 1;
    expect(speeds.firstByteMs("1/a", "m", true)).toBeUndefined();
    expect(speeds.of("1/a")).toEqual([]);
    speeds.measure("1/a", "m", true, 50);
    expect(speeds.firstByteMs("1/a", "m", true)).toBe(50);
  });
});
