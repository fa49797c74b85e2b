import { queryOptions } from "@tanstack/react-query";
import { listNodes, type Node } from "@tollgate/contract/api/nodes";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { reportError } from "../../lib/report-error";

/** Well within what one address may call. */
export const REFRESH_MS = 5000;

/** The nodes are undefined where the server knows no such call. */
interface NodesAnswer {
  nodes: Node[] | undefined;
}

/** The nodes, again and again while the page is open. */
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
  // What never came is not asked for again by itself.
  refetchInterval: ({ state }) => (state.data?.nodes ? REFRESH_MS : false),
  // The page says that it is not up to date, once.
  meta: { silent: true },
});
