import {
  type FetchQueryOptions,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { isUnknownCall } from "./api-client";
import { reportError } from "./report-error";
import type { AtField } from "./use-refusals";

declare module "@tanstack/react-query" {
  interface Register {
    /**
     * `silent`: the caller shows the failure itself. `isExtra`: the call is not in the contract, and the page handles
     * servers without it. `atField`: the form shows the failure at its field, too.
     */
    queryMeta: { silent?: boolean; isExtra?: boolean };
    mutationMeta: { silent?: boolean; atField?: AtField["atField"] | undefined };
  }
}

/** The site's status, and the sign-in that is going on when its user is remembered: its code works once. */
const WITHOUT_USER: ReadonlySet<unknown> = new Set(["status", "redirect-login"]);

const OF_USER = { predicate: ({ queryKey }: Query) => !WITHOUT_USER.has(queryKey[0]) };

/** Drops the logged-in user's data. Must run after leaving that user's pages, which would request it again. */
export const clearCache = (queryClient: QueryClient): void => queryClient.removeQueries(OF_USER);

/** Drops the former user's data, and reads the shown pages again for the present one. */
export const restartCache = (queryClient: QueryClient): Promise<void> => queryClient.resetQueries(OF_USER);

/**
 * A query client that never uses a read from before a change. The library lets a first read finish that was pending
 * when its query was invalidated, and then treats its answer as fresh, although it may be older than the change.
 */
class ConsoleQueryClient extends QueryClient {
  override invalidateQueries(...[filters, options]: Parameters<QueryClient["invalidateQueries"]>) {
    void this.cancelQueries(filters as Parameters<QueryClient["cancelQueries"]>[0], { silent: true });
    return super.invalidateQueries(filters, options);
  }
}

/** Reads from the server now: neither from the cache nor through a pending read. */
export const readNow = <Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> => {
  void client.cancelQueries({ queryKey: query.queryKey, exact: true }, { silent: true });
  return client.fetchQuery({ ...query, staleTime: 0 });
};

/** The cache of server data. Every failure of a query or mutation is reported once, here. */
export const createQueryClient = (): QueryClient =>
  new ConsoleQueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.silent || (query.meta?.isExtra && isUnknownCall(error))) return;
        reportError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        mutation.meta?.atField?.(error);
        if (!mutation.meta?.silent) reportError(error);
      },
    }),
    defaultOptions: {
      // The server limits calls per address, so a failure is shown rather than retried. Offline is a failure like any
      // other: waiting silently for the network would look like a broken page.
      queries: { networkMode: "always", retry: false, refetchOnWindowFocus: false, staleTime: 5_000 },
      mutations: { networkMode: "always", retry: false },
    },
  });
