// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from "vitest";
import { exactQuota, signedQuota } from "./exact-quota";
import { writeStored } from "./local-store";

afterEach(() => localStorage.clear());

describe("an exact amount", () => {
  it.each([
    [500_000, "$1.00"],
    [550_000, "$1.10"],
    [99_265_433, "$198.530866"],
    [1, "$0.000002"],
    [0, "$0.00"],
  ])("of %i units is %s", (quota, text) => {
    writeStored("display_in_currency", "true");
    expect(exactQuota(quota)).toBe(text);
    expect(signedQuota(0 - quota)).toBe(quota === 0 ? "+$0.00" : `−${text}`);
  });

  it("is points where the site shows points", () => {
    expect([exactQuota(1_234_567), signedQuota(1000), signedQuota(-1)]).toEqual([
      "1,234,567",
      "+1,000",
      "−1",
    ]);
  });
});
