import { expect, it } from "vitest";
import { ExportSlots } from "./export-slots";

it("lets each caller have one at a time, and four in all", () => {
  const slots = new ExportSlots();
  const release = slots.take(1, false);
  expect(slots.take(1, false)).toBeUndefined();
  expect([2, 3, 4].map((id) => slots.take(id, false)).every((each) => each !== undefined)).toBe(true);
  expect(slots.take(5, false)).toBeUndefined();
  release?.();
  release?.();
  expect(slots.take(5, false)).toBeDefined();
  expect(slots.take(1, false)).toBeUndefined();
});

it("keeps a place for administrators, however many users are at their own lines", () => {
  const slots = new ExportSlots();
  const releases = [1, 2, 3].map((id) => slots.take(id, true));
  expect(releases.every((each) => each !== undefined)).toBe(true);
  expect(slots.take(4, true)).toBeUndefined();
  expect(slots.take(5, false)).toBeDefined();
  releases[0]?.();
  expect(slots.take(4, true)).toBeDefined();
});
