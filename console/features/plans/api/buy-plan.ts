import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { selfQuery } from "../../../lib/self";
import { useMutation } from "../../../lib/use-mutation";
import { SUBSCRIPTIONS } from "./list-subscriptions";

interface BoughtPlan {
  planId: number;
  /** The subscription after which it begins; now where there is none. */
  follows?: number;
}

/** POST /api/subscription/ */
export const useBuyPlan = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ planId, follows }: BoughtPlan) =>
      callApi("POST", "/api/subscription/", {
        body: { plan_id: planId, ...(follows === undefined ? {} : { follows }) },
      }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: SUBSCRIPTIONS }),
        queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
      ]),
  });
};
