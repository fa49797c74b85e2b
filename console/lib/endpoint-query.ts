import { queryOptions } from "@tanstack/react-query";
import type { CallOf, Endpoint } from "@tollgate/contract/resource/endpoint";
import { callEndpoint } from "./call-endpoint";

/** A cached read of an endpoint, repeated after calls that change its resource. */
export const endpointQuery = <E extends Endpoint>(endpoint: E, call: CallOf<E>) =>
  queryOptions({
    queryKey: [endpoint.reads, endpoint.path, call],
    queryFn: ({ signal }) => callEndpoint(endpoint, call, signal),
  });
