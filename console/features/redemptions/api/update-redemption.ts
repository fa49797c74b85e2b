import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import type { RedemptionBody } from "../redemption-form";
import { REDEMPTIONS } from "./list-redemptions";

/** PUT /api/redemption/. Both values always: some servers overwrite what is left out (contract section 6.4). */
export const useUpdateRedemption = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<RedemptionBody, "count"> & { id: number }) =>
      callApi("PUT", "/api/redemption/", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: REDEMPTIONS }),
  });
};
