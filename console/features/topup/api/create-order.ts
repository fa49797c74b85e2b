import { useQueryClient } from "@tanstack/react-query";
import { type ReadOrder, readOrder } from "@tollgate/contract/management/order";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { OWN_ORDERS } from "./list-orders";

interface WantedOrder {
  provider: string;
  method: string;
  /** US dollars of quota; or the plan that is bought. */
  usd?: string;
  plan_id?: number;
}

/** POST /api/order */
export const useCreateOrder = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: WantedOrder): Promise<ReadOrder> => {
      const order = readOrder((await callApi("POST", "/api/order", { body })).data);
      if (!order) throw new UnreadableError("no order in the answer");
      return order;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: OWN_ORDERS }),
  });
};
