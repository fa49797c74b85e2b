import { describe, expect, it } from "vitest";
import {
  BUYING_KINDS,
  type BuyingFields,
  faultyRule,
  fromBuyingFields,
  newRule,
  ruleMistakes,
  toBuyingFields,
} from "./buying-form";

const STORED = JSON.stringify({
  default: { of: "list", factor: 0.8 },
  rules: [
    { model: "gpt-*", of: "upstream", factor: 1.2 },
    { model: "m", prices: [{ input: 2, output: 8, cacheRead: 0.2 }] },
    { model: "image", prices: [{ perCall: 0.04 }] },
    {
      model: "tiers",
      prices: [
        { input: 1, output: 2 },
        { from: "2027-01-01", input: 2, output: 3 },
      ],
    },
  ],
});

const fields = (more: Partial<BuyingFields>): BuyingFields => ({ ...toBuyingFields(""), ...more });

describe("the form of buying prices", () => {
  it("shows the stored prices, and stores the shown ones", () => {
    const shown = toBuyingFields(STORED);
    expect(shown.rules.map(({ kind }) => kind)).toEqual(["upstream", "tokens", "call", "entries"]);
    expect(fromBuyingFields(shown)).toBe(STORED);
  });

  it("is nothing known where nothing is typed", () => {
    expect(toBuyingFields("")).toMatchObject({ usual: "unknown", rules: [] });
    expect(fromBuyingFields(fields({}))).toBe("");
  });

  it("takes a comma for the decimal point, and leaves empty fields out: empty is not 0", () => {
    const rule = { ...newRule(), model: " m ", kind: "tokens" as const, input: "0,5" };
    expect(fromBuyingFields(fields({ rules: [rule] }))).toBe(
      '{"rules":[{"model":"m","prices":[{"input":0.5}]}]}',
    );
  });

  it.each([
    [{ ...newRule(), model: "m", factor: "" }],
    [{ ...newRule(), model: "m", factor: "-1" }],
    [{ ...newRule(), model: "" }],
    [{ ...newRule(), model: "m", kind: "tokens" as const, input: "" }],
    [{ ...newRule(), model: "m", kind: "entries" as const, entries: "[" }],
  ])("says which row is wrong: %o", (rule) => {
    const read = fromBuyingFields(fields({ rules: [{ ...newRule(), model: "fine" }, rule] }));
    expect(typeof read === "string" ? undefined : faultyRule(read)).toBe(1);
  });

  it("names the fields that are wrong, exactly where a rule cannot be stored", () => {
    const texts = ["", "0", "0,5", "-1", "x", "1001"];
    for (const kind of BUYING_KINDS.filter((each) => each !== "entries"))
      for (const model of ["m", "", "twice"])
        for (const one of texts)
          for (const other of texts) {
            const amounts = { factor: one, input: one, perCall: one, output: other, cacheRead: other };
            const rule = { ...newRule(), model, kind, ...amounts };
            const rules = [{ ...newRule(), model: "twice" }, rule];
            const isStored = typeof fromBuyingFields(fields({ rules })) === "string";
            expect([kind, model, one, other, ruleMistakes(rule, ["twice"]).size === 0]).toEqual([
              ...[kind, model, one, other],
              isStored,
            ]);
          }
  });

  it("names the wrong field, and no other", () => {
    const rule = { ...newRule(), model: "m", kind: "tokens" as const, input: "1", output: "x" };
    expect([...ruleMistakes(rule, [])]).toEqual(["output"]);
    expect([...ruleMistakes({ ...rule, output: "" }, ["m"])]).toEqual(["model"]);
  });
});
