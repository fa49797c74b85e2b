import { queryOptions } from "@tanstack/react-query";
import { listKnownModels } from "@tollgate/contract/api/channel-upstream";
import { getPricing, type PricingAnswer } from "@tollgate/contract/api/pricing";
import { callApi } from "./api-client";
import { endpointQuery } from "./endpoint-query";

/** Names of the models of the price page. */
export const pricedModelsQuery = {
  ...endpointQuery(getPricing, {}),
  select: ({ data }: PricingAnswer) => data.map(({ model_name }) => model_name),
};

/** Names of all models known to the gateway. */
export const modelsQuery = queryOptions({
  queryKey: ["channels", "models"],
  queryFn: async ({ signal }): Promise<string[]> => {
    const { data } = await callApi("GET", listKnownModels.path, { signal, allowsBareList: true });
    const ids = Array.isArray(data) ? data.map((model: { id?: unknown } | null) => model?.id) : [];
    return [...new Set(ids.filter((id) => typeof id === "string"))];
  },
  staleTime: 60_000,
});
