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
});
