import { queryOptions } from "@tanstack/react-query";
import { listKnownModels } from "@tollgate/contract/api/channel-upstream";
import { callApi } from "./api-client";

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
