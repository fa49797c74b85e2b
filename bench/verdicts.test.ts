import { describe, expect, it } from "vitest";
import { formatVerdict, holds } from "./verdicts";

const verdict = (measured: number, budget: number, unit = " ×") => ({ what: "CPU", measured, budget, unit });

describe("a budget", () => {
  it("holds up to its number", () => {
    expect(holds(verdict(1.5, 1.5))).toBe(true);
    expect(formatVerdict(verdict(1.5, 1.5))).toBe("CPU: 1.5 ×; at most 1.5 ×: holds");
  });

  it("does not hold above it, and says by how much", () => {
    expect(holds(verdict(1.501, 1.5))).toBe(false);
    expect(formatVerdict(verdict(2.314, 1.5))).toBe("CPU: 2.31 ×; at most 1.5 ×: DOES NOT HOLD, by 0.81 ×");
  });

  it("writes large numbers whole", () => {
    expect(formatVerdict(verdict(2027.4, 300, " ms"))).toBe(
      "CPU: 2,027 ms; at most 300 ms: DOES NOT HOLD, by 1,727 ms",
    );
  });

  it("does not hold when nothing could be measured", () => {
    expect(holds(verdict(Number.NaN, 1.5))).toBe(false);
  });
});
