import { describe, expect, it } from "vitest";
import { fitsWildcard, isLiteral, literalLength } from "./wildcard";

describe("a pattern with stars", () => {
  it.each([
    ["gpt-4o", "gpt-4o", true],
    ["gpt-4o", "gpt-4o-mini", false],
    ["gpt-*", "gpt-4o", true],
    ["*", "", true],
    ["*", "anything", true],
    ["*-mini", "gpt-4o-mini", true],
    ["*-mini", "gpt-4o-minimal", false],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "abcb", false],
    ["claude-*-2025*", "claude-20250929", false],
    ["claude-*-2025*", "claude-opus-4-20250929-2025", true],
    ["a.c", "abc", false],
    ["", "", true],
    ["", "a", false],
  ])("%s and %s: %s", (pattern, name, fits) => {
    expect(fitsWildcard(pattern, name)).toBe(fits);
  });

  it("is compared in little time, however many stars it has", () => {
    const begin = performance.now();
    expect(fitsWildcard("*a".repeat(100), `${"a".repeat(10_000)}b`)).toBe(false);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it("is as exact as it has characters of its own", () => {
    expect(literalLength("gpt-4*-mini")).toBe(10);
    expect(isLiteral("gpt-4o")).toBe(true);
    expect(isLiteral("gpt-*")).toBe(false);
  });
});
