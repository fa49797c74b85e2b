import { expect, it } from "vitest";
import { NO_LIMITS } from "./limit-fields";
import { toLimitChange } from "./typed-limits";

it("writes a typed limit, and removes it when the field is empty", () => {
  expect(toLimitChange("rpd", { ...NO_LIMITS, rpd: " 7 " })).toEqual({ rpd: 7 });
  expect(toLimitChange("rpd", NO_LIMITS)).toEqual({ rpd: 0 });
  expect(toLimitChange("rpd", { ...NO_LIMITS, rpd: "1.5" })).toBeUndefined();
  expect(toLimitChange("softBudgets", { ...NO_LIMITS, softBudgets: "1" })).toEqual({ softBudgets: 1 });
});

it("writes a window and its budget together, never one without the other", () => {
  const typed = { ...NO_LIMITS, windowHours: "8", windowQuota: "500" };
  expect(toLimitChange("windowHours", typed)).toEqual({ windowHours: 8, windowQuota: 500 });
  expect(toLimitChange("windowHours", NO_LIMITS)).toEqual({ windowHours: 0, windowQuota: 0 });
  for (const half of ["windowHours", "windowQuota"] as const)
    expect(toLimitChange("windowHours", { ...typed, [half]: "" })).toBeUndefined();
});
