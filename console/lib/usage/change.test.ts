import { expect, it } from "vitest";
import { changeOf } from "./change";

const toneOf = (...[now, before, meaning, sample]: [number, number, "good" | "bad" | "neither", number]) =>
  changeOf({ now, before, meaning, sample })?.tone;

it("colours a change by whether more is better", () => {
  expect(toneOf(120, 100, "bad", 500)).toBe("bad");
  expect(toneOf(80, 100, "bad", 500)).toBe("good");
  expect(toneOf(120, 100, "good", 500)).toBe("good");
  expect(toneOf(80, 100, "good", 500)).toBe("bad");
  expect(toneOf(300, 100, "neither", 500)).toBe("neither");
});

it("takes small changes and those of few requests for noise", () => {
  expect(toneOf(104.9, 100, "bad", 500)).toBe("noise");
  expect(toneOf(95.1, 100, "good", 500)).toBe("noise");
  expect(toneOf(105, 100, "bad", 500)).toBe("bad");
  expect(toneOf(300, 100, "bad", 19)).toBe("noise");
  expect(toneOf(300, 100, "bad", 20)).toBe("bad");
});

it("takes a percentile that is one bucket higher for noise", () => {
  const compared = { meaning: "bad", sample: 500, isPercentile: true } as const;
  expect(changeOf({ ...compared, now: 1117, before: 939 })?.tone).toBe("noise");
  expect(changeOf({ ...compared, now: 1328, before: 939 })?.tone).toBe("bad");
});

it("has no change of an unknown value, of a zero, or of an equal one", () => {
  const compared = { meaning: "bad", sample: 500 } as const;
  expect(changeOf({ ...compared, now: undefined, before: 1 })).toBeUndefined();
  expect(changeOf({ ...compared, now: 1, before: undefined })).toBeUndefined();
  expect(changeOf({ ...compared, now: 5, before: 0 })).toBeUndefined();
  expect(changeOf({ ...compared, now: 5, before: -3 })).toBeUndefined();
  expect(changeOf({ ...compared, now: 100.05, before: 100 })).toBeUndefined();
});
