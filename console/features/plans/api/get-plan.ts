import { queryOptions } from "@tanstack/react-query";
import { type Plan, readPlan } from "@tollgate/contract/management/plan";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { PLANS } from "./list-plans";

/** GET /api/plan/{id} */
export const planQuery = (id: number) =>
  queryOptions({
    queryKey: [...PLANS, "one", id],
    queryFn: async ({ signal }): Promise<Plan> => {
      const plan = readPlan((await callApi("GET", `/api/plan/${id}`, { signal })).data);
      if (!plan) throw new UnreadableError("no plan in the answer");
      return plan;
    },
    staleTime: 0,
    gcTime: 0,
    meta: { isExtra: true },
  });
