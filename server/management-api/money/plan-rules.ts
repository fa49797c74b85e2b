import { MAX_PLAN_DURATION, MAX_PLAN_TEXT, MAX_PLAN_TITLE, type Plan } from "@tollgate/contract/api/plans";
import { planEnd } from "@tollgate/metering/plan-periods";
import { Failure } from "../failure";
import { checkGroups, checkLimits } from "../sign-in/account-rules";

/** A plan's settings by an administrator. */
export type PlanSettings = Omit<Plan, "id" | "createdTime">;

/** Defaults of a plan. */
export const NEW_PLAN: PlanSettings = {
  title: "",
  description: "",
  price: 0,
  durationUnit: "month",
  durationCount: 1,
  quota: 0,
  reset: "never",
  group: "",
  beyond: "balance",
  maxPerUser: 0,
  isEnabled: true,
  sortOrder: 0,
};

const isLonger = (text: string, most: number): boolean => text.length > 2 * most || [...text].length > most;

/** @throws Failure that names the fault. */
export const checkPlan = (plan: PlanSettings): void => {
  if (plan.title.trim() === "" || isLonger(plan.title, MAX_PLAN_TITLE) || /\p{C}/u.test(plan.title))
    throw new Failure("plan-title-length");
  if (isLonger(plan.description, MAX_PLAN_TEXT)) throw new Failure("plan-text-length");
  const { durationCount, durationUnit, reset } = plan;
  if (durationCount < 1 || durationCount > MAX_PLAN_DURATION) throw new Failure("plan-duration-range");
  // For any start: a period longer in one month is longer in each.
  if (reset !== "never" && planEnd(0, reset, 1) > planEnd(0, durationUnit, durationCount))
    throw new Failure("plan-reset-range");
  checkGroups(plan.group);
  // With a list, no single group would be the plan's.
  if (plan.group.includes(",")) throw new Failure("group-invalid");
  checkLimits(undefined, plan.limits ?? {});
};
