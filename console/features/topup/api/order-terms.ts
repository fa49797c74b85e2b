import { queryOptions } from "@tanstack/react-query";
import { type OrderTermsWire, readOrderTerms } from "@tollgate/contract/management/order";
import { callApi, UnreadableError } from "../../../lib/api-client";

/** GET /api/order/terms: what quota costs, and how it is paid. */
export const orderTermsQuery = queryOptions({
  queryKey: ["order-terms"],
  queryFn: async ({ signal }): Promise<OrderTermsWire> => {
    const terms = readOrderTerms((await callApi("GET", "/api/order/terms", { signal })).data);
    if (!terms) throw new UnreadableError("no terms in the answer");
    return terms;
  },
  meta: { isExtra: true },
});
