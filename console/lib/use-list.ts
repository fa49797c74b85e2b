import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { PAGE_SIZE } from "@tollgate/contract/control/envelope";
import { useEffect } from "react";
import { type growingList, joinPages, searchList } from "./growing-list";
import { cutPage, type ListSearch, sortRows } from "./list-search";

type GrowingList<Row> = ReturnType<typeof growingList<Row>>;

interface ListSource<Row> {
  pages: GrowingList<Row>;
  /** The search that replaces the pages while there is a keyword. */
  found?: ReturnType<typeof searchList<Row>>;
  search: ListSearch;
  columns: readonly { id: string; sortBy?: (row: Row) => number | string }[];
}

export interface List<Row> {
  /** The rows of the shown page; undefined while the first ones load. */
  rows: readonly Row[] | undefined;
  error: Error | null;
  page: number;
  pageCount: number;
  canGrow: boolean;
  isGrowing: boolean;
  /** The shown page is the last that has arrived, is not full, and the server may have more rows. */
  hasRoom: boolean;
  hasGrowingFailed: boolean;
  /** Asks for the next rows. */
  grow: () => void;
  isRefreshing: boolean;
  refresh: () => void;
}

/** One page of a list as its address says: fetched as far as needed, or searched, then sorted and cut. */
export const useList = <Row extends { id: number }>({
  pages,
  found,
  search,
  columns,
}: ListSource<Row>): List<Row> => {
  const isSearch = found !== undefined && search.q !== undefined;
  const grown = useInfiniteQuery({ ...pages, enabled: !isSearch });
  const hits = useQuery(found ?? searchList<Row>(pages.queryKey, "", async () => []));
  const query = isSearch ? hits : grown;
  const rows = isSearch ? hits.data : grown.data && joinPages(grown.data.pages);
  const canGrow = !isSearch && grown.hasNextPage;
  const wanted = search.page ?? 1;
  const size = search.size ?? PAGE_SIZE;
  const isShort = canGrow && rows !== undefined && rows.length <= (wanted - 1) * size;
  const { fetchNextPage, isFetching, isFetchNextPageError } = grown;

  // The outside system is the server: a page in the address that has not arrived yet is asked for.
  useEffect(() => {
    if (isShort && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isShort, isFetching, isFetchNextPageError, fetchNextPage]);

  const shown = rows && cutPage(sortRows(rows, search.sort, columns), wanted, size);
  const isWaiting = isShort && !isFetchNextPageError;
  return {
    rows: isWaiting ? undefined : shown?.rows,
    error: rows === undefined ? query.error : null,
    page: isWaiting ? wanted : (shown?.page ?? 1),
    pageCount: shown?.pageCount ?? 1,
    canGrow,
    isGrowing: grown.isFetchingNextPage,
    hasRoom: canGrow && shown?.page === shown?.pageCount && (shown?.rows.length ?? size) < size,
    hasGrowingFailed: isFetchNextPageError,
    grow: () => {
      if (!isFetching) void fetchNextPage();
    },
    isRefreshing: query.isFetching && !query.isPending,
    refresh: () => void query.refetch(),
  };
};
