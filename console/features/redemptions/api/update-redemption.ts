import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { REDEMPTIONS } from "./list-redemptions";

/** PUT /api/redemption/. Both values always: some servers overwrite what is left out (contract section 6.4). */
export const useUpdateRedemption = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { id: number; name: string; quota: number }) =>
      callApi("PUT", "/api/redemption/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: REDEMPTIONS }),
  });
};
