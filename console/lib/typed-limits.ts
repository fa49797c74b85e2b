import { type Limits, missingHalf } from "@tollgate/contract/management/limits";
import { BUDGETS, type LimitFields, limitFieldSchemas, RATES, WINDOW_BUDGETS } from "./limit-fields";

/** Limits that a change of many records writes each alone; `windowHours` brings its other half. */
export const LIMIT_NAMES = [...RATES, ...BUDGETS, ...WINDOW_BUDGETS, "windowHours", "softBudgets"] as const;

/**
 * A typed limit as a change, with the other half where it has one: empty fields remove it.
 * @returns undefined while it is invalid.
 */
export const toLimitChange = (name: keyof LimitFields, typed: LimitFields): Limits | undefined => {
  const names = name === "windowHours" ? (["windowHours", "windowQuota"] as const) : [name];
  if (!names.every((each) => limitFieldSchemas[each].safeParse(typed[each]).success)) return undefined;
  const change: Limits = Object.fromEntries(names.map((each) => [each, Number(typed[each].trim())]));
  return name === "windowHours" && missingHalf(change) ? undefined : change;
};
