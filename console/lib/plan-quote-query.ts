import { quoteOrder } from "@tollgate/contract/api/order-terms";
import { endpointQuery } from "./endpoint-query";

/** Price of a plan in the currency of orders. */
export const planQuoteQuery = (planId: number) => ({
  ...endpointQuery(quoteOrder, { query: { plan_id: planId } }),
  retry: false,
  meta: { silent: true },
});
