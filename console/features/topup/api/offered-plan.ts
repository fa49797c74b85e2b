import { queryOptions } from "@tanstack/react-query";
import { type Plan, readPlans } from "@tollgate/contract/management/plan";
import { callApi, UnreadableError } from "../../../lib/api-client";

/** GET /api/plan/offered: one of those that can be bought. */
export const offeredPlanQuery = (id: number) =>
  queryOptions({
    queryKey: ["plans", "offered", id],
    queryFn: async ({ signal }): Promise<Plan> => {
      const plans = readPlans((await callApi("GET", "/api/plan/offered", { signal })).data);
      const plan = plans.find((each) => each.id === id);
      if (!plan) throw new UnreadableError("no such plan in the answer");
      return plan;
    },
    meta: { isExtra: true },
  });
