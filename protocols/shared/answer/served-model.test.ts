import { describe, expect, it } from "vitest";
import { readServedModel, servedModelOf } from "./served-model";

describe("readServedModel", () => {
  it("removes control and format characters, and blanks around", () => {
    expect(readServedModel(" gpt\u0000-4\u202eo\n\u200b ")).toBe("gpt-4o");
  });

  it("cuts a name of a megabyte, between characters", () => {
    expect(readServedModel("x".repeat(1_000_000))).toBe("x".repeat(100));
    expect(readServedModel(`${"x".repeat(99)}😀😀`)).toBe("x".repeat(99));
    expect(readServedModel("\u0000".repeat(1_000_000))).toBeUndefined();
  });

  it.each([undefined, null, 4, {}, [], "", " \u0000"])("returns nothing for %j", (value) => {
    expect(readServedModel(value)).toBeUndefined();
  });

  it("finds the name in whole answers of each protocol", () => {
    expect(servedModelOf({ model: "gpt-4o", choices: [] })).toBe("gpt-4o");
    expect(servedModelOf({ modelVersion: "gemini-2.5-pro", candidates: [] })).toBe("gemini-2.5-pro");
    expect(servedModelOf({ choices: [] })).toBeUndefined();
    expect(servedModelOf("text")).toBeUndefined();
  });
});
