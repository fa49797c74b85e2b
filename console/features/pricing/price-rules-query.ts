import { listPriceRules } from "@tollgate/contract/api/price-rules";
import { endpointQuery } from "../../lib/endpoint-query";

/** The rules in the order in which they take precedence. */
export const priceRulesQuery = {
  ...endpointQuery(listPriceRules, {}),
  staleTime: 0,
  meta: { isExtra: true },
};
