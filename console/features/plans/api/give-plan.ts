import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { SUBSCRIPTIONS } from "./list-subscriptions";

/** POST /api/subscription/given */
export const useGivePlan = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ planId, userId }: { planId: number; userId: number }) =>
      callApi("POST", "/api/subscription/given", { body: { plan_id: planId, user_id: userId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: SUBSCRIPTIONS }),
  });
};
