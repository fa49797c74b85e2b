import { queryOptions } from "@tanstack/react-query";
import { type Redemption, readRedemption } from "@tollgate/contract/management/redemption";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { REDEMPTIONS } from "./list-redemptions";

/** GET /api/redemption/{id} */
export const redemptionQuery = (id: number) =>
  queryOptions({
    queryKey: [...REDEMPTIONS, "one", id],
    queryFn: async ({ signal }): Promise<Redemption> => {
      const redemption = readRedemption((await callApi("GET", `/api/redemption/${id}`, { signal })).data);
      if (!redemption) throw new UnreadableError("no redemption code in the answer");
      return redemption;
    },
    staleTime: 0,
    gcTime: 0,
  });
