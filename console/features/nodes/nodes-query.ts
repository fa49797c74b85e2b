import { queryOptions } from "@tanstack/react-query";
import { listNodes, type Node } from "@tollgate/contract/api/nodes";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { reportError } from "../../lib/report-error";

/** Well below the limit of calls per address. */
export const REFRESH_MS = 5000;

/** The nodes are undefined if the server has no such call. */
interface NodesAnswer {
  nodes: Node[] | undefined;
}

/** The nodes, polled while the page is open. */
export const nodesQuery = queryOptions({
  queryKey: [listNodes.reads],
  queryFn: async ({ signal }): Promise<NodesAnswer> => {
    try {
      return { nodes: await callEndpoint(listNodes, {}, signal) };
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return { nodes: undefined };
      if (error instanceof HttpError && error.status === 401) reportError(error);
      throw error;
    }
  },
  staleTime: 0,
  refetchOnWindowFocus: true,
  // A call that has never succeeded is not polled.
  refetchInterval: ({ state }) => (state.data?.nodes ? REFRESH_MS : false),
  // The page itself shows, once, that it is not up to date.
  meta: { silent: true },
});
