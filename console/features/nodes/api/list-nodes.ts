import { queryOptions } from "@tanstack/react-query";
import { type Node, readNodes } from "@tollgate/contract/management/node";
import { callApi, HttpError } from "../../../lib/api-client";
import { reportError } from "../../../lib/report-error";

/** Well within what one address may call. */
export const REFRESH_MS = 5000;

/** The nodes are undefined where the server knows no such call. */
interface NodesAnswer {
  nodes: Node[] | undefined;
}

/** GET /api/node, again and again while somebody looks. */
export const nodesQuery = queryOptions({
  queryKey: ["nodes"],
  queryFn: async ({ signal }): Promise<NodesAnswer> => {
    try {
      return { nodes: readNodes((await callApi("GET", "/api/node", { signal })).data) };
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
