import type { Limits } from "@tollgate/contract/management/limits";
import { BUDGETS, type LimitFields, limitFieldSchemas, RATES, WINDOW_BUDGETS } from "./limit-fields";

export const LIMIT_NAMES = [...RATES, ...BUDGETS, ...WINDOW_BUDGETS] as const;

/** One typed limit as a change: an empty field removes it. @returns undefined while it is invalid. */
export const toLimitChange = (name: keyof LimitFields, text: string): Limits | undefined =>
  limitFieldSchemas[name].safeParse(text).success ? { [name]: Number(text.trim()) } : undefined;
