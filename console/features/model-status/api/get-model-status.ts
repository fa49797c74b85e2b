import { queryOptions } from "@tanstack/react-query";
import { readModelStatus } from "@tollgate/contract/management/model-status";
import { callApi } from "../../../lib/api-client";

/** GET /api/model-status */
export const modelStatusQuery = queryOptions({
  queryKey: ["model-status"],
  queryFn: async ({ signal }) =>
    readModelStatus((await callApi("GET", "/api/model-status", { signal })).data),
  staleTime: 60_000,
  refetchInterval: 60_000,
  meta: { isExtra: true },
});
