import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { toldNumber } from "../../../lib/told-number";
import { useMutation } from "../../../lib/use-mutation";
import { REDEMPTION_LIST } from "./list-redemptions";

/** DELETE /api/redemption/invalid: answers how many codes it deleted; undefined where it answers otherwise. */
export const useClearDead = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<number | undefined> =>
      toldNumber((await callApi("DELETE", "/api/redemption/invalid")).data),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: REDEMPTION_LIST }),
  });
};
