import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { SUBSCRIPTIONS } from "./list-subscriptions";

/** POST /api/subscription/{id}/end */
export const useEndSubscription = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("POST", `/api/subscription/${id}/end`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: SUBSCRIPTIONS }),
  });
};
