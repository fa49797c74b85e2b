import { expect, it } from "vitest";
import { ExportSlots } from "./export-slots";

it("lets each caller have one at a time, and four in all", () => {
  const slots = new ExportSlots();
  const release = slots.take(1);
  expect(slots.take(1)).toBeUndefined();
  expect([2, 3, 4].map((id) => slots.take(id)).every((each) => each !== undefined)).toBe(true);
  expect(slots.take(5)).toBeUndefined();
  release?.();
  release?.();
  expect(slots.take(5)).toBeDefined();
  expect(slots.take(1)).toBeUndefined();
});
