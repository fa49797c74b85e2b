import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { PLANS } from "./list-plans";

/** DELETE /api/plan/{id} */
export const useDeletePlan = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE", `/api/plan/${id}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PLANS }),
  });
};
