import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import type { RedemptionBody } from "../redemption-form";
import { REDEMPTIONS } from "./list-redemptions";

/** POST /api/redemption/; answers the codes. */
export const useCreateRedemptions = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: RedemptionBody): Promise<string[]> => {
      const { data } = await callApi("POST", "/api/redemption/", { body });
      return Array.isArray(data) ? data.filter((code) => typeof code === "string") : [];
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: REDEMPTIONS }),
  });
};
