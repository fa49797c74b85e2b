import { getPricing } from "@tollgate/contract/api/pricing";
import { endpointQuery } from "../../lib/endpoint-query";

/** What models cost the reader. */
export const pricingQuery = { ...endpointQuery(getPricing, {}), meta: { isExtra: true } };
