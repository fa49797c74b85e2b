import { queryOptions } from "@tanstack/react-query";
import type { CallOf, Endpoint } from "@tollgate/contract/resource/endpoint";
import { callEndpoint } from "./call-endpoint";

/** A kept read of an endpoint: calls that change its resource have it read again. */
export const endpointQuery = <E extends Endpoint>(endpoint: E, call: CallOf<E>) =>
  queryOptions({
    queryKey: [endpoint.reads, endpoint.path, call],
    queryFn: ({ signal }) => callEndpoint(endpoint, call, signal),
  });
