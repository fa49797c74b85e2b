import { describe, expect, it } from "vitest";
import type { GroupAccess } from "../../state/group-access";
import { Failure } from "../failure";
import { type BudgetFields, checkAtBudget } from "./check-at-budget";

const OFFERED: Readonly<Record<string, readonly string[]>> = { default: ["dear", "cheap"], low: ["tiny"] };

const groupAccess: GroupAccess = {
  usableBy: () => new Map(Object.keys(OFFERED).map((name) => [name, ""])),
  autoOf: () => ["default", "low"],
  groupsOf: ({ group, autoGroups, user }) =>
    group === undefined ? user.groups : group === "auto" ? (autoGroups ?? ["default", "low"]) : [group],
};
const services = {
  groupAccess,
  channels: { isListed: (group: string, model: string) => OFFERED[group]?.includes(model) ?? false },
} as Parameters<typeof checkAtBudget>[0];

/** The code of the refusal and its field; undefined for an edit that is accepted. */
const refusalOf = (edit: Omit<BudgetFields, "limits">, limits = {}, before?: BudgetFields) => {
  try {
    checkAtBudget(services, { groups: ["default"] }, { ...edit, limits }, before);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.key;
    throw error;
  }
};

describe("a choice for a used up budget", () => {
  it.each<[Omit<BudgetFields, "limits">, string | undefined]>([
    [{}, undefined],
    [{ budgetModel: "cheap" }, undefined],
    [{ budgetGroup: "low" }, undefined],
    [{ budgetModel: "tiny", budgetGroup: "low" }, undefined],
    [{ budgetModel: "tiny", group: "auto", autoGroups: [] }, undefined],
    [{ budgetModel: "tiny" }, "budget-model-unknown"],
    [{ budgetModel: "cheap", budgetGroup: "low" }, "budget-model-unknown"],
    [{ budgetModel: "nothing" }, "budget-model-unknown"],
    [{ budgetModel: "cheap", models: ["dear"] }, "budget-model-not-allowed"],
    [{ budgetModel: "cheap", models: ["cheap"] }, "budget-choice-itself"],
    [{ budgetModel: "cheap", models: ["dear", "cheap"] }, undefined],
    [{ budgetGroup: "low", group: "low" }, "budget-choice-itself"],
    [{ budgetGroup: "default" }, "budget-choice-itself"],
    [{ budgetGroup: "default", group: "low" }, undefined],
    [{ budgetGroup: "secret" }, "token-group-not-allowed"],
    [{ budgetGroup: "auto" }, "token-group-not-allowed"],
  ])("%j is refused with %s", (edit, refusal) => {
    expect(refusalOf(edit)).toBe(refusal);
  });

  it("needs extra quota where a budget of the key refuses", () => {
    const edit = { budgetModel: "cheap" };
    expect(refusalOf(edit, { dailyQuota: 10 })).toBe("budget-extra-missing");
    expect(refusalOf(edit, { dailyQuota: 10, extraQuota: 1 })).toBeUndefined();
    expect(refusalOf(edit, { dailyQuota: 10, softBudgets: 1 })).toBeUndefined();
    expect(refusalOf(edit, { rpd: 10 })).toBeUndefined();
    const before = { budgetModel: "cheap", limits: { dailyQuota: 10, extraQuota: 1 } };
    expect(refusalOf({}, { extraQuota: 0 }, before)).toBe("budget-extra-missing");
    expect(refusalOf({}, { extraQuota: 0, dailyQuota: 0 }, before)).toBeUndefined();
    expect(refusalOf({ budgetModel: "" }, { extraQuota: 0 }, before)).toBeUndefined();
  });

  it("is looked for again where the key changes its group or its models", () => {
    const before = { budgetModel: "cheap", group: "default", models: ["dear", "cheap"] };
    expect(refusalOf({ group: "low" }, {}, before)).toBe("budget-model-unknown");
    expect(refusalOf({ models: ["dear"] }, {}, before)).toBe("budget-model-not-allowed");
    expect(refusalOf({ models: [] }, {}, before)).toBeUndefined();
  });

  it("that a key has already is not looked for again, because clients send whole keys", () => {
    const before = { budgetModel: "gone", budgetGroup: "lost" };
    expect(refusalOf(before, {}, before)).toBeUndefined();
    expect(refusalOf({ ...before, budgetModel: "other" }, {}, before)).toBe("budget-model-unknown");
  });
});
