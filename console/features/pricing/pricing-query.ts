import { getPricing } from "@tollgate/contract/api/pricing";
import { endpointQuery } from "../../lib/endpoint-query";

/** Prices of models for the user. */
export const pricingQuery = { ...endpointQuery(getPricing, {}), meta: { isExtra: true } };
