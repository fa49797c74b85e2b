import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/management/channel";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { callApi } from "../../../lib/api-client";
import { patchRow } from "../../../lib/growing-list";
import { toldNumber } from "../../../lib/told-number";
import { CHANNEL_LIST } from "./list-channels";

/** GET /api/channel/update_balance/{id}/. Answers the balance beside the envelope's data. */
export const useUpdateBalance = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number): Promise<number> =>
      toldNumber((await callApi("GET", `/api/channel/update_balance/${id}/`)).balance) ?? 0,
    onSuccess: (balance, id) =>
      patchRow<Channel>(queryClient, CHANNEL_LIST, id, {
        balance,
        balanceUpdatedTime: toUnixSeconds(Date.now()),
      }),
  });
};
