import { type QueryKey, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import type { CallOf, DataOf, Endpoint, Guard } from "@tollgate/contract/resource/endpoint";
import type { ListFilter } from "@tollgate/contract/resource/list-filter";
import { callEndpoint } from "./call-endpoint";
import { changeRow, growingList, searchList } from "./growing-list";
import { useMutation } from "./use-mutation";

/** An endpoint that returns rows. */
type ListEndpoint<Path extends string, Query extends string, Row> = Endpoint<
  Path,
  Guard,
  Query,
  undefined,
  undefined,
  Row[]
>;

/** The key of all lists of a resource. */
export const listKey = ({ reads }: Endpoint): QueryKey => [reads, "list"];

/**
 * The rows of an endpoint, page by page.
 * @param call all parameters except the page
 */
export const endpointPages = <Path extends string, Query extends string, Row extends { id: number }>(
  endpoint: ListEndpoint<Path, Query | "p", Row>,
  call: CallOf<ListEndpoint<Path, Query | "p", Row>>,
  { isExtra = false } = {},
) =>
  growingList<Row>(
    [...listKey(endpoint), endpoint.path, call],
    // While the other parameters are generic, TypeScript does not accept a call with a page as a call.
    (page, signal) =>
      callEndpoint(endpoint, { ...call, query: { ...call.query, p: page } } as typeof call, signal),
    { isExtra },
  );

/** The rows of a list as sorted and filtered by the server. */
export interface QueriedList<Row extends { id: number }> {
  /** The columns that the server can sort by. */
  sorts: readonly string[];
  /** @param sort one of these columns, with "-" before it for descending; undefined for the list's own order */
  pages: (sort: string | undefined, filter: ListFilter) => ReturnType<typeof growingList<Row>>;
  /** The rows that a keyword finds; absent for a list without a search. */
  found?: (
    keyword: string,
    sort: string | undefined,
    filter: ListFilter,
  ) => ReturnType<typeof growingList<Row>>;
}

/** The rows of an endpoint, sorted and filtered by the server. @param call all parameters except page and order */
export const endpointQueried = <Path extends string, Query extends string, Row extends { id: number }>(
  endpoint: ListEndpoint<Path, Query | "p", Row>,
  call = {} as CallOf<ListEndpoint<Path, Query | "p", Row>>,
  options = {},
): QueriedList<Row> => ({
  sorts: endpoint.sorts ?? [],
  pages(sort, filter) {
    const query = { ...call.query, ...filter, ...(sort === undefined ? {} : { sort }) };
    return endpointPages(endpoint, { ...call, query } as typeof call, options);
  },
});

/** The same with a search, which has the same order and filters. */
export const endpointSearched = <Row extends { id: number }>(
  list: ListEndpoint<string, "p", Row>,
  search: ListEndpoint<string, "keyword" | "p", Row>,
): QueriedList<Row> => ({
  ...endpointQueried(list),
  found: (keyword, sort, filter) => endpointQueried(search, { query: { keyword } }).pages(sort, filter),
});

/** Searches an endpoint's rows by keyword. */
export const endpointSearch = <Row>(endpoint: ListEndpoint<string, "keyword", Row>, keyword: string) =>
  searchList<Row>([...listKey(endpoint), endpoint.path], keyword, (text, signal) =>
    callEndpoint(endpoint, { query: { keyword: text } } as CallOf<typeof endpoint>, signal),
  );

/**
 * A call about one row; the lists of its resource are updated from the answer.
 * @param list reads such rows
 * @param follow the fields of the row that the answer changes, or "deleted"
 * @param isLong does not delay other calls about the row
 */
export const useRowEndpoint = <E extends Endpoint, Row extends { id: number }>(
  list: Endpoint<string, Guard, string, undefined, undefined, Row[]>,
  id: number,
  endpoint: E,
  follow: (data: DataOf<E>, call: CallOf<E>) => Partial<Row> | "deleted",
  { isLong = false } = {},
): UseMutationResult<DataOf<E>, Error, CallOf<E>> => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (call: CallOf<E>) =>
      changeRow<Row, DataOf<E>>(
        queryClient,
        listKey(list),
        id,
        () => callEndpoint(endpoint, call),
        (data) => follow(data, call),
      ),
    scope: { id: `${list.reads} ${id}${isLong ? endpoint.path : ""}` },
  });
};
