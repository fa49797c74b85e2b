import { queryOptions } from "@tanstack/react-query";
import { type ReadOrder, readOrder } from "@tollgate/contract/management/order";
import { callApi, UnreadableError } from "../../../lib/api-client";

/** GET /api/order/{number} */
export const ownOrderQuery = (number: string) =>
  queryOptions({
    queryKey: ["own-order", number],
    enabled: number !== "",
    meta: { silent: true },
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ReadOrder> => {
      const path = `/api/order/${encodeURIComponent(number)}`;
      const order = readOrder((await callApi("GET", path, { signal })).data);
      if (!order) throw new UnreadableError("no order in the answer");
      return order;
    },
  });
