import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { OWN_ORDERS } from "./list-orders";

/** POST /api/order/{number}/cancel */
export const useCancelOrder = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: string) => callApi("POST", `/api/order/${encodeURIComponent(number)}/cancel`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: OWN_ORDERS }),
  });
};
