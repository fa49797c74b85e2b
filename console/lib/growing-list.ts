import {
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";
import { PAGE_SIZE } from "@tollgate/contract/control/envelope";

/**
 * Which page to ask for next; undefined at the end. Servers name no total and differ in rows per page, so the end
 * is an empty page, a page shorter than an earlier one, or a first page shorter than any server's.
 */
export const nextPage = (pages: readonly (readonly unknown[])[]): number | undefined => {
  const last = pages.at(-1);
  if (!last || last.length < PAGE_SIZE) return undefined;
  return pages.some((page) => page.length > last.length) ? undefined : pages.length;
};

/** A list that arrives page by page, from p = 0; the pages are appended. */
export const growingList = <Row>(
  key: QueryKey,
  fetchPage: (page: number, signal: AbortSignal) => Promise<Row[]>,
) =>
  infiniteQueryOptions({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextPage(pages),
    placeholderData: keepPreviousData,
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

/** All rows of the pages, each id once: rows shift between pages while others add and delete. Id 0 is no id. */
export const joinPages = <Row extends { id: number }>(pages: readonly (readonly Row[])[]): Row[] => {
  const seen = new Set<number>();
  return pages.flat().filter((row) => {
    if (row.id === 0) return true;
    if (seen.has(row.id)) return false;
    seen.add(row.id);
    return true;
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
export const patchRow = <Row extends { id: number }>(
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
export const adoptRows = <Row extends { id: number }>(
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
  nextPage(data.pages as unknown[][]) !== undefined;

/**
 * Takes a deleted row out at once. A list whose end has not arrived is then read anew: the rows behind the deleted one
 * have moved up, and the next page would skip one of them.
 */
export const dropRow = (client: QueryClient, key: QueryKey, id: number): void => {
  const growing = client
    .getQueryCache()
    .findAll({ queryKey: key, predicate: (query) => isList(query) && mayGrow(query.state.data) });
  client.setQueriesData({ queryKey: key, predicate: isList }, (data: unknown) =>
    changeRows<{ id: number }>(data, (rows) => rows.filter((row) => row.id !== id)),
  );
  for (const { queryKey } of growing) void client.invalidateQueries({ queryKey, exact: true });
};

/** Lists are cached beside single objects; their keys say so in the second place. */
const isList = (query: Query): boolean => query.queryKey[1] === "list";
