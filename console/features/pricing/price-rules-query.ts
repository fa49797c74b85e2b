import { listPriceRules } from "@tollgate/contract/api/price-rules";
import { endpointQuery } from "../../lib/endpoint-query";

/** The rules in order of precedence. */
export const priceRulesQuery = {
  ...endpointQuery(listPriceRules, {}),
  staleTime: 0,
  meta: { isExtra: true },
};
