import {
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";

interface Identified {
  id: number;
}

/** What tells rows apart: their id, or all that they say where the server sends none. */
const identity = (row: Identified): number | string => (row.id === 0 ? JSON.stringify(row) : row.id);

/**
 * Which page to ask for next; undefined at the end. Servers name no total and no page size, which may be anything from
 * one row up (specification section 9), so only an empty page is the end. A server that knows no pages sends the same
 * rows whatever is asked for: two pages in a row that bring nothing new are the end as well. (One alone is not: as many
 * rows as a page holds may have been added before it was read.)
 */
export const nextPage = (pages: readonly (readonly Identified[])[]): number | undefined => {
  const last = pages.at(-1);
  if (!last || last.length === 0) return undefined;
  if (pages.length < 3) return pages.length;
  const known = new Set(pages.slice(0, -2).flatMap((page) => page.map(identity)));
  const isKnown = (row: Identified): boolean => known.has(identity(row));
  return pages.slice(-2).every((page) => page.every(isKnown)) ? undefined : pages.length;
};

/**
 * A list that arrives page by page, from p = 0; the pages are appended.
 * @param isExtra its call is beyond the contract (query-client.ts).
 */
export const growingList = <Row extends Identified>(
  key: QueryKey,
  fetchPage: (page: number, signal: AbortSignal) => Promise<Row[]>,
  { isExtra = false } = {},
) =>
  infiniteQueryOptions({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextPage(pages),
    placeholderData: keepPreviousData,
    meta: { isExtra },
  });

/** A search: one unpaged answer, idle while the keyword is blank. */
export const searchList = <Row>(
  key: QueryKey,
  keyword: string,
  fetchRows: (keyword: string, signal: AbortSignal) => Promise<Row[]>,
) =>
  queryOptions({
    queryKey: [...key, "search", keyword],
    queryFn: ({ signal }) => fetchRows(keyword, signal),
    enabled: keyword !== "",
  });

/**
 * All rows of the pages, each once: rows shift between pages while others add and delete. Rows without an id may look
 * alike and are all kept, but for a page that says nothing that was not said before.
 */
export const joinPages = <Row extends Identified>(pages: readonly (readonly Row[])[]): Row[] => {
  const seen = new Set<number | string>();
  return pages.flatMap((page) => {
    const names = page.map(identity);
    const isRepeated = names.every((name) => seen.has(name));
    const fresh = isRepeated ? [] : page.filter((row) => row.id === 0 || !seen.has(row.id));
    for (const name of names) seen.add(name);
    return fresh;
  });
};

type Change<Row> = (rows: Row[]) => Row[];

const changeRows = <Row>(data: unknown, change: Change<Row>): unknown => {
  if (Array.isArray(data)) return change(data as Row[]);
  if (typeof data === "object" && data !== null && "pages" in data) {
    return { ...data, pages: (data.pages as Row[][]).map(change) };
  }
  return data;
};

/** Changes one row wherever it is cached under `key`, in pages and in searches alike. */
export const patchRow = <Row extends Identified>(
  client: QueryClient,
  key: QueryKey,
  id: number,
  patch: Partial<Row>,
): void => {
  client.setQueriesData({ queryKey: key, predicate: isList }, (data: unknown) =>
    changeRows<Row>(data, (rows) => rows.map((row) => (row.id === id ? { ...row, ...patch } : row))),
  );
};

/** Puts newer rows in the place of those with the same id, wherever they are cached under `key`. */
export const adoptRows = <Row extends Identified>(
  client: QueryClient,
  key: QueryKey,
  rows: readonly Row[],
): void => {
  const newer = new Map(rows.map((row) => [row.id, row]));
  client.setQueriesData({ queryKey: key, predicate: isList }, (data: unknown) =>
    changeRows<Row>(data, (old) => old.map((row) => newer.get(row.id) ?? row)),
  );
};

/** Whether the server may have more rows than these cached pages. */
const mayGrow = (data: unknown): boolean =>
  typeof data === "object" &&
  data !== null &&
  "pages" in data &&
  nextPage(data.pages as Identified[][]) !== undefined;

/**
 * Takes a deleted row out at once. A list whose end has not arrived is then read anew: the rows behind the deleted one
 * have moved up, and the next page would skip one of them.
 */
export const dropRow = (client: QueryClient, key: QueryKey, id: number): void => {
  const growing = client
    .getQueryCache()
    .findAll({ queryKey: key, predicate: (query) => isList(query) && mayGrow(query.state.data) });
  client.setQueriesData({ queryKey: key, predicate: isList }, (data: unknown) =>
    changeRows<Identified>(data, (rows) => rows.filter((row) => row.id !== id)),
  );
  for (const { queryKey } of growing) void client.invalidateQueries({ queryKey, exact: true });
};

/** Lists are cached beside single objects; their keys say so in the second place. */
const isList = (query: Query): boolean => query.queryKey[1] === "list";
