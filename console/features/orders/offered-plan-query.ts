import { queryOptions } from "@tanstack/react-query";
import { listOfferedPlans, type Plan } from "@tollgate/contract/api/plans";
import { UnreadableError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";

/** A plan on sale. */
export const offeredPlanQuery = (id: number) =>
  queryOptions({
    queryKey: ["plans", "offered", id],
    queryFn: async ({ signal }): Promise<Plan> => {
      const plans = await callEndpoint(listOfferedPlans, {}, signal);
      const plan = plans.find((each) => each.id === id);
      if (!plan) throw new UnreadableError("no such plan in the answer");
      return plan;
    },
    meta: { isExtra: true },
  });
