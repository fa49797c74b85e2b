import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { REDEMPTION_LIST } from "./list-redemptions";

/** DELETE /api/redemption/invalid: answers how many codes it deleted. */
export const useClearDead = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<number> =>
      Number((await callApi("DELETE", "/api/redemption/invalid")).data),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: REDEMPTION_LIST }),
  });
};
