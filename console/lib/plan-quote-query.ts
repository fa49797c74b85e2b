import { quoteOrder } from "@tollgate/contract/api/order-terms";
import { endpointQuery } from "./endpoint-query";

/** Price of a plan in the currency of orders. @param code a promotion code; "" for none. */
export const planQuoteQuery = (planId: number, code = "") => ({
  ...endpointQuery(quoteOrder, { query: code === "" ? { plan_id: planId } : { plan_id: planId, code } }),
  retry: false,
  meta: { silent: true },
});
