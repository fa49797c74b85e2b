import { getPricing, type PricingAnswer } from "@tollgate/contract/api/pricing";
import { endpointQuery } from "./endpoint-query";

/** Names of the models of the price page. */
export const pricedModelsQuery = {
  ...endpointQuery(getPricing, {}),
  select: ({ data }: PricingAnswer) => data.map(({ model_name }) => model_name),
};
