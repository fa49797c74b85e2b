import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { CHANNELS } from "./list-channels";

/** GET /api/channel/models: the names of every model that the gateway knows. */
export const modelsQuery = queryOptions({
  queryKey: [...CHANNELS, "models"],
  queryFn: async ({ signal }): Promise<string[]> => {
    const { data } = await callApi("GET", "/api/channel/models", { signal, allowsBareList: true });
    const ids = Array.isArray(data) ? data.map((model: { id?: unknown } | null) => model?.id) : [];
    return [...new Set(ids.filter((id) => typeof id === "string"))];
  },
  staleTime: 60_000,
});
