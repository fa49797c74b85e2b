import { getModelStatus } from "@tollgate/contract/api/model-status";
import { endpointQuery } from "../../lib/endpoint-query";

/** Service quality of models. */
export const modelStatusQuery = {
  ...endpointQuery(getModelStatus, {}),
  staleTime: 60_000,
  refetchInterval: 60_000,
  meta: { isExtra: true },
};
