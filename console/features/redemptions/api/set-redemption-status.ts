import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Redemption, readRedemption } from "@tollgate/contract/management/redemption";
import { callApi } from "../../../lib/api-client";
import { patchRow } from "../../../lib/growing-list";
import { REDEMPTION_LIST } from "./list-redemptions";

/** PUT /api/redemption/?status_only=true. The row adopts the status that the server answers. */
export const useSetRedemptionStatus = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { id: number; status: number }) =>
      callApi("PUT", "/api/redemption/", { query: { status_only: true }, body }),
    onSuccess: ({ data }, { id, status }) =>
      patchRow<Redemption>(queryClient, REDEMPTION_LIST, id, {
        status: readRedemption(data)?.status || status,
      }),
  });
};
