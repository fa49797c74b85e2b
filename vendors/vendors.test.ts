import { describe, expect, it } from "vitest";
import { presetModelsOf } from "./preset-models";
import { findVendor, VENDORS } from "./vendors";

describe("the vendors", () => {
  it("have a number of their own each", () => {
    expect(new Set(VENDORS.map(({ type }) => type)).size).toBe(VENDORS.length);
    for (const vendor of VENDORS) expect(findVendor(vendor.type)).toBe(vendor);
  });

  it.each(VENDORS.filter(({ baseUrl }) => baseUrl !== ""))(
    "$name.en answers at a usable address",
    ({ baseUrl }) => {
      expect(new URL(baseUrl).protocol).toMatch(/^https?:$/);
      // Paths are put behind it.
      expect(baseUrl.endsWith("/")).toBe(false);
    },
  );

  it("name no model twice", () => {
    for (const { type } of VENDORS) {
      const models = presetModelsOf(type);
      expect(new Set(models).size).toBe(models.length);
    }
    expect(presetModelsOf(24)).toContain("gemini-2.5-pro");
    expect(presetModelsOf(999)).toEqual([]);
  });
});
