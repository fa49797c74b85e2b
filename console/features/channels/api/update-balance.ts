import { useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/management/channel";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { toldNumber } from "../../../lib/told-number";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNEL_LIST } from "./list-channels";

/** GET /api/channel/update_balance/{id}/. Answers the balance beside the envelope's data. */
export const useUpdateBalance = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      changeRow<Channel, number>(
        queryClient,
        CHANNEL_LIST,
        id,
        async () => toldNumber((await callApi("GET", `/api/channel/update_balance/${id}/`)).balance) ?? 0,
        (balance) => ({ balance, balanceUpdatedTime: toUnixSeconds(Date.now()) }),
      ),
  });
};
