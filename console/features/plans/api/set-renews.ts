import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { SUBSCRIPTIONS } from "./list-subscriptions";

/** PUT /api/subscription/{id}/renews */
export const useSetRenews = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, renews }: { id: number; renews: boolean }) =>
      callApi("PUT", `/api/subscription/${id}/renews`, { body: { renews } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: SUBSCRIPTIONS }),
  });
};
