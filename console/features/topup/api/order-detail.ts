import { queryOptions, useQueryClient } from "@tanstack/react-query";
import {
  type ReadOrderDetail,
  type RefundOutcome,
  type RefundResultWire,
  readOrderDetail,
  readRefundResult,
} from "@tollgate/contract/management/order";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

const pathOf = (number: string): string => `/api/payment/orders/${encodeURIComponent(number)}`;

/** GET /api/payment/orders/{number}: with its refunds and the callbacks that were refused. */
export const orderDetailQuery = (number: string) =>
  queryOptions({
    queryKey: ["order-detail", number],
    queryFn: async ({ signal }): Promise<ReadOrderDetail> => {
      const detail = readOrderDetail((await callApi("GET", pathOf(number), { signal })).data);
      if (!detail) throw new UnreadableError("no order in the answer");
      return detail;
    },
    meta: { isExtra: true },
  });

/** Reads an order and the lists anew, whatever a call came to. */
const useRefresh = (number: string) => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["order-detail", number] }),
      queryClient.invalidateQueries({ queryKey: ["orders"] }),
    ]);
};

/** POST /api/payment/orders/{number}/ask */
export const useAskProvider = (number: string) => {
  const refresh = useRefresh(number);
  return useMutation({ mutationFn: () => callApi("POST", `${pathOf(number)}/ask`), onSettled: refresh });
};

/** POST /api/payment/orders/{number}/complete */
export const useCompleteOrder = (number: string) => {
  const refresh = useRefresh(number);
  return useMutation({
    mutationFn: (reason: string) => callApi("POST", `${pathOf(number)}/complete`, { body: { reason } }),
    onSettled: refresh,
  });
};

/** POST /api/payment/orders/{number}/refund */
export const useRefundOrder = (number: string) => {
  const refresh = useRefresh(number);
  return useMutation({
    mutationFn: async (reason: string): Promise<RefundResultWire | undefined> =>
      readRefundResult((await callApi("POST", `${pathOf(number)}/refund`, { body: { reason } })).data),
    onSettled: refresh,
  });
};

/** POST /api/payment/orders/{number}/refunds/{id}/settle */
export const useSettleRefund = (number: string) => {
  const refresh = useRefresh(number);
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number; outcome: RefundOutcome; reason: string }) =>
      callApi("POST", `${pathOf(number)}/refunds/${id}/settle`, { body }),
    onSettled: refresh,
  });
};
