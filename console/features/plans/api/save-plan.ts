import { useQueryClient } from "@tanstack/react-query";
import type { PlanWire } from "@tollgate/contract/management/plan";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { PLANS } from "./list-plans";

interface SavedPlan {
  /** undefined for a new one. */
  id: number | undefined;
  body: Partial<Omit<PlanWire, "id" | "created_time">>;
}

/** POST /api/plan/, or PUT /api/plan/{id}; what is left out stays. */
export const useSavePlan = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: SavedPlan) =>
      id === undefined
        ? callApi("POST", "/api/plan/", { body })
        : callApi("PUT", `/api/plan/${id}`, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PLANS }),
  });
};
