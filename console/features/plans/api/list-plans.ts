import { queryOptions } from "@tanstack/react-query";
import { type Plan, readPlans } from "@tollgate/contract/management/plan";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

export const PLANS = ["plans"] as const;
export const PLAN_LIST = [...PLANS, "list"] as const;

/** GET /api/plan: all of them come at once. */
export const planPages = growingList<Plan>(
  PLAN_LIST,
  async (page, signal) => (page > 0 ? [] : readPlans((await callApi("GET", "/api/plan", { signal })).data)),
  { isExtra: true },
);

/** GET /api/plan/offered */
export const offeredPlansQuery = queryOptions({
  queryKey: [...PLANS, "offered"],
  queryFn: async ({ signal }): Promise<Plan[]> =>
    readPlans((await callApi("GET", "/api/plan/offered", { signal })).data),
  meta: { isExtra: true },
});

/** GET /api/plan, for choosing one. */
export const allPlansQuery = queryOptions({
  queryKey: [...PLANS, "all"],
  queryFn: async ({ signal }): Promise<Plan[]> =>
    readPlans((await callApi("GET", "/api/plan", { signal })).data),
  meta: { isExtra: true },
});
