import { LIMITS, type Limits } from "../management/limits";

type LimitName = keyof Limits;

/** Limits that are compared by their number alone. */
const BY_NUMBER = (Object.keys(LIMITS) as LimitName[]).filter(
  (name) => !["windowQuota", "windowHours", "softBudgets", "extraQuota"].includes(name),
);

const BUDGETS = (Object.keys(LIMITS) as LimitName[]).filter(
  (name) => LIMITS[name].column === "QUOTA" && name !== "extraQuota",
);

const larger = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

interface Window {
  windowQuota: number;
  windowHours: number;
}

const windowOf = ({ windowQuota, windowHours }: Limits): Window | undefined =>
  windowQuota && windowHours ? { windowQuota, windowHours } : undefined;

/** The one with more quota for each hour, or of two with the same, the one with more quota. */
const moreGenerous = (a: Window | undefined, b: Window | undefined): Window | undefined => {
  if (!a || !b) return a ?? b;
  // Whole numbers: quotients of large amounts would round.
  const [ofA, ofB] = [
    BigInt(a.windowQuota) * BigInt(b.windowHours),
    BigInt(b.windowQuota) * BigInt(a.windowHours),
  ];
  if (ofA !== ofB) return ofA > ofB ? a : b;
  return b.windowQuota > a.windowQuota ? b : a;
};

/**
 * The limits of several plans at the same time (docs/reference/plans.md): for each kind the most generous of the plans that set
 * it, so that a plan without limits does not lift those of another. Budgets are soft, or extended, as far as those of each plan are.
 * @returns undefined when nothing is limited.
 */
export const joinPlanLimits = (plans: readonly (Limits | undefined)[]): Limits | undefined => {
  const limited = plans.filter((limits) => limits !== undefined);
  if (limited.length === 0) return undefined;
  const joined: Limits = {};
  let window: Window | undefined;
  for (const limits of limited) {
    for (const name of BY_NUMBER) joined[name] = larger(joined[name], limits[name]);
    window = moreGenerous(window, windowOf(limits));
  }
  const budgeted = limited.filter((limits) => BUDGETS.some((name) => limits[name] !== undefined));
  const isSoft = budgeted.length > 0 && budgeted.every(({ softBudgets }) => softBudgets === 1);
  const extraQuota = Math.min(...budgeted.map((limits) => limits.extraQuota ?? 0)) || undefined;
  return {
    ...joined,
    ...window,
    softBudgets: isSoft ? 1 : undefined,
    extraQuota: budgeted.length > 0 ? extraQuota : undefined,
  };
};
