import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { CHANNEL_LIST } from "./list-channels";

/** GET /api/channel/update_balance: asks for the balance of every enabled channel, and answers when done. */
export const useUpdateAllBalances = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi("GET", "/api/channel/update_balance"),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNEL_LIST }),
  });
};
