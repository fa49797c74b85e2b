import { describe, expect, it } from "vitest";
import { NOTHING_TYPED, type TypedChange, toChannelsChange } from "./typed-change";

const changeOf = (typed: Partial<TypedChange>, enabled = Object.keys(typed) as (keyof TypedChange)[]) =>
  toChannelsChange({ ...NOTHING_TYPED, ...typed }, new Set(enabled));

describe("the change of many channels", () => {
  it.each<[Partial<TypedChange>, object]>([
    [{ groups: ["vip", "default"] }, { group: "vip,default" }],
    [{ added: ["a", "b"] }, { add_models: "a,b" }],
    [{ removed: ["c"] }, { remove_models: "c" }],
    [{ priority: " -3 " }, { priority: -3 }],
    [{ weight: "0" }, { weight: 0 }],
    [{ tag: " blue " }, { tag: "blue" }],
    [{ tag: "" }, { tag: "" }],
    [{ testModel: " m " }, { test_model: "m" }],
    [{ tests: "yes" }, { skip_tests: false }],
    [{ tests: "no" }, { skip_tests: true }],
  ])("writes the field %j as %j", (typed, change) => {
    expect(changeOf(typed)).toEqual(change);
  });

  it("has the enabled fields and no others", () => {
    const typed: Partial<TypedChange> = { groups: ["vip"], priority: "1", tag: "blue" };
    expect(changeOf(typed)).toEqual({ group: "vip", priority: 1, tag: "blue" });
    expect(changeOf(typed, ["tag"])).toEqual({ tag: "blue" });
  });

  it.each<Partial<TypedChange>>([
    { groups: [] },
    { added: [] },
    { removed: [] },
    { priority: "" },
    { priority: "1.5" },
    { weight: "many" },
  ])("is not sent while the enabled field %j is invalid", (typed) => {
    expect(changeOf(typed)).toBeUndefined();
    expect(changeOf({ tag: "blue", ...typed })).toBeUndefined();
    expect(changeOf({ tag: "blue", ...typed }, ["tag"])).toEqual({ tag: "blue" });
  });

  it("is not sent without an enabled field", () => {
    expect(changeOf({ tag: "blue" }, [])).toBeUndefined();
  });
});
