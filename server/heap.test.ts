import { describe, expect, it } from "vitest";
import { keepTickClass } from "./heap";

describe("keepTickClass", () => {
  it("keeps an object that process.nextTick made", () => {
    const kept = keepTickClass();
    expect(kept).toHaveProperty("callback");
    // The class is that of the names, which Node computes.
    expect(Object.getOwnPropertySymbols(kept ?? {}).length).toBeGreaterThan(0);
  });
});
