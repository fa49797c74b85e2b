import { type QueryKey, queryOptions, type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import {
  type CallOf,
  type DataOf,
  type Endpoint,
  type Guard,
  requestOf,
} from "@tollgate/contract/resource/endpoint";
import { callApi, UnreadableError } from "./api-client";
import { changeRow, growingList, searchList } from "./growing-list";
import { useMutation } from "./use-mutation";

/**
 * Calls an endpoint.
 * @returns the data of its answer, read
 * @throws RefusedError, HttpError, UnreadableError, or fetch's own TypeError when nothing answered
 */
export const callEndpoint = async <E extends Endpoint>(
  endpoint: E,
  call: CallOf<E>,
  signal?: AbortSignal,
): Promise<DataOf<E>> => {
  const { method, path, query, body } = requestOf(endpoint, call);
  const { data } = await callApi(method, path, { query, body, signal });
  const value = endpoint.data?.read(data);
  if (endpoint.data && !endpoint.data.isOptional && value === undefined)
    throw new UnreadableError("the answer has other data");
  return value as DataOf<E>;
};

/** A kept read of an endpoint: calls that change its resource have it read again. */
export const endpointQuery = <E extends Endpoint>(endpoint: E, call: CallOf<E>) =>
  queryOptions({
    queryKey: [endpoint.reads, endpoint.path, call],
    queryFn: ({ signal }) => callEndpoint(endpoint, call, signal),
  });

/** An endpoint that answers rows. */
type ListEndpoint<Path extends string, Query extends string, Row> = Endpoint<
  Path,
  Guard,
  Query,
  undefined,
  undefined,
  Row[]
>;

/** The key of all lists of a resource. */
const listKey = ({ reads }: Endpoint): QueryKey => [reads, "list"];

/**
 * The rows of an endpoint, page by page.
 * @param call without the page
 */
export const endpointPages = <Path extends string, Query extends string, Row extends { id: number }>(
  endpoint: ListEndpoint<Path, Query | "p", Row>,
  call: CallOf<ListEndpoint<Path, Query | "p", Row>>,
  { isExtra = false } = {},
) =>
  growingList<Row>(
    [...listKey(endpoint), endpoint.path, call],
    // TypeScript does not see that a call with a page is a call, while the other parameters are not known.
    (page, signal) =>
      callEndpoint(endpoint, { ...call, query: { ...call.query, p: page } } as typeof call, signal),
    { isExtra },
  );

/** The rows that an endpoint finds by a keyword. */
export const endpointSearch = <Row>(endpoint: ListEndpoint<string, "keyword", Row>, keyword: string) =>
  searchList<Row>([...listKey(endpoint), endpoint.path], keyword, (text, signal) =>
    callEndpoint(endpoint, { query: { keyword: text } } as CallOf<typeof endpoint>, signal),
  );

/** Has reads of resources repeated that a call of the endpoint changed. */
const useRepeatReads = () => {
  const queryClient = useQueryClient();
  return ({ changes = [] }: Endpoint) =>
    Promise.all(changes.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
};

/** A call that changes something. Reads of the resources that it changes are repeated before it counts as done. */
export const useEndpoint = <E extends Endpoint>(
  endpoint: E,
): UseMutationResult<DataOf<E>, Error, CallOf<E>> => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: (call: CallOf<E>) => callEndpoint(endpoint, call),
    onSuccess: () => repeatReads(endpoint),
  });
};

interface Saved<Body> {
  /** undefined of one that is to be created */
  id: number | undefined;
  body: Body;
}

/** Creates a record, or changes the one with the id, as a form for both does. */
export const useSave = <Body, Data>(
  create: Endpoint<string, Guard, never, unknown, Body, Data>,
  change: Endpoint<`${string}:id`, Guard, never, unknown, Body, Data>,
) => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: ({ id, body }: Saved<Body>): Promise<Data> => {
      const target = id === undefined ? create : change;
      return callEndpoint<Endpoint>(target, {
        params: { id: id ?? 0 },
        body,
      } as CallOf<Endpoint>) as Promise<Data>;
    },
    onSuccess: (_data, { id }) => repeatReads(id === undefined ? create : change),
  });
};

/**
 * A call about one row, which the lists of its resource follow at once.
 * @param list reads such rows
 * @param follow the fields of the row that the answer changes, or "deleted"
 */
export const useRowEndpoint = <E extends Endpoint, Row extends { id: number }>(
  list: Endpoint<string, Guard, string, undefined, undefined, Row[]>,
  id: number,
  endpoint: E,
  follow: (data: DataOf<E>, call: CallOf<E>) => Partial<Row> | "deleted",
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
    scope: { id: `${list.reads} ${id}` },
  });
};
