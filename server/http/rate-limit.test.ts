import { describe, expect, it } from "vitest";
import { RateLimit } from "./rate-limit";

describe("RateLimit", () => {
  it("takes so many calls per window and address, and forgets refused ones", () => {
    const limit = new RateLimit(2, 1000);
    expect([0, 100, 200, 900].map((now) => limit.take("a", now))).toEqual([true, true, false, false]);
    expect(limit.take("b", 200)).toBe(true);
    expect(limit.take("a", 1000)).toBe(true);
    expect(limit.take("a", 1050)).toBe(false);
    expect(limit.take("a", 1100)).toBe(true);
  });

  it("of 0 takes everything", () => {
    const limit = new RateLimit(0, 1000);
    expect(Array.from({ length: 100 }, () => limit.take("a", 0))).not.toContain(false);
  });
});
