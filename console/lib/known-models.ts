import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./api-client";

/** GET /api/channel/models: the names of every model that the gateway knows. */
export const modelsQuery = queryOptions({
  queryKey: ["channels", "models"],
  queryFn: async ({ signal }): Promise<string[]> => {
    const { data } = await callApi("GET", "/api/channel/models", { signal, allowsBareList: true });
    const ids = Array.isArray(data) ? data.map((model: { id?: unknown } | null) => model?.id) : [];
    return [...new Set(ids.filter((id) => typeof id === "string"))];
  },
  staleTime: 60_000,
});
