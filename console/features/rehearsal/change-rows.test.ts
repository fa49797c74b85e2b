import { expect, it } from "vitest";
import { changesOf, currentText, isUsable, rowsOf } from "./change-rows";

const CHANGES = {
  ModelRatio: { a: 1.5, gone: null },
  ModelPrice: { b: { input: 3, output: 15 } },
  CacheBillingEnabled: "false",
};

it("shows a draft's changes entry by entry, and builds the changes again from the typed texts", () => {
  const rows = rowsOf(CHANGES);
  expect(rows).toContainEqual({ option: "ModelRatio", name: "gone", text: "" });
  expect(rows).toContainEqual({ option: "ModelPrice", name: "b", text: '{"input":3,"output":15}' });
  expect(changesOf(rows)).toEqual(CHANGES);
});

it("knows the present value of an entry, and tells a missing entry from an empty one", () => {
  const current = { price_version: 1, options: { ModelRatio: '{"a":1}', FallbackModelRatio: "" } };
  expect(currentText(current, { option: "ModelRatio", name: "a" })).toBe("1");
  expect(currentText(current, { option: "ModelRatio", name: "constructor" })).toBeUndefined();
  expect(currentText(current, { option: "FallbackModelRatio", name: "" })).toBe("");
});

it("takes numbers for ratios and JSON for prices, and nothing at all for taking an entry away", () => {
  const isRatio = (text: string) => isUsable({ option: "ModelRatio", name: "a", text });
  expect(["1", "0", "1.5", ""].every(isRatio)).toBe(true);
  expect(["-1", "x", '"1"', "{}"].some(isRatio)).toBe(false);
  expect(isUsable({ option: "ModelPrice", name: "a", text: "{" })).toBe(false);
});
