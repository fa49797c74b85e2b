import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNELS } from "./list-channels";

/** PUT /api/channel/balance: USD that is left at the upstream; null lets it be unknown again. */
export const useTypeBalance = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { id: number; balance: number | null }) =>
      callApi("PUT", "/api/channel/balance", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNELS }),
  });
};
