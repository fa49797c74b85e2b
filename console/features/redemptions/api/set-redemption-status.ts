import { useQueryClient } from "@tanstack/react-query";
import type { Envelope } from "@tollgate/contract/management/envelope";
import { type Redemption, readRedemption } from "@tollgate/contract/management/redemption";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { REDEMPTION_LIST } from "./list-redemptions";

/** PUT /api/redemption/?status_only=true. The row adopts the status that the server answers. */
export const useSetRedemptionStatus = (id: number) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (status: number) =>
      changeRow<Redemption, Envelope>(
        queryClient,
        REDEMPTION_LIST,
        id,
        () => callApi("PUT", "/api/redemption/", { query: { status_only: true }, body: { id, status } }),
        ({ data }) => ({ status: readRedemption(data)?.status || status }),
      ),
    scope: { id: `code ${id}` },
  });
};
