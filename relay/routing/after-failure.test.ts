import { describe, expect, it } from "vitest";
import { refusalFor } from "./after-failure";

describe("refusalFor", () => {
  it.each([
    [400, 400],
    [413, 413],
    [422, 422],
    [200, 400],
    [500, 400],
    [0, 400],
  ])("tells a caller's mistake that came with %i as %i", (status, told) => {
    const error = { kind: "caller", status, message: "no", code: "c" } as const;
    expect(refusalFor(error)).toEqual({
      code: "upstream-refused",
      upstream: { status: told, message: "no", code: "c" },
    });
  });

  it.each([
    ["rate-limited", 7, 7],
    ["rate-limited", 0.2, 1],
    ["overloaded", 1.5, 2],
    ["rate-limited", undefined, undefined],
  ] as const)("tells after %s of %s s to wait %s s", (kind, retryAfterSeconds, told) => {
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    const refusal = refusalFor({ kind, status: 429, message: "", code: "", ...wait });
    expect(refusal.retryAfterSeconds).toBe(told);
  });
});
