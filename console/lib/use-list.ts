import { hashKey, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { isNarrowed, type ListFilter } from "@tollgate/contract/resource/list-filter";
import { readListSort } from "@tollgate/contract/resource/list-sort";
import { useEffect, useState } from "react";
import type { QueriedList } from "./endpoint-lists";
import { type growingList, joinPages, searchList } from "./growing-list";
import type { ListSearch } from "./list-search";
import { PAGES_TO_SORT, viewList } from "./list-view";
import type { SortableColumn } from "./sort-rows";
import { queriesLists } from "./status";

interface Identified {
  id: number;
}
type GrowingList<Row extends Identified> = ReturnType<typeof growingList<Row>>;

interface ListSource<Row extends Identified> {
  pages: GrowingList<Row>;
  /** The rows, from a server that sorts and filters them. */
  queried?: QueriedList<Row>;
  /** The current filters of the list, and whether a found row fits them. */
  narrowed?: { filter: ListFilter; fits: (row: Row) => boolean };
  /** The search that replaces the pages while there is a keyword. */
  found?: ReturnType<typeof searchList<Row>>;
  search: ListSearch;
  columns: readonly SortableColumn<Row>[];
}

export interface List<Row> {
  /** The rows of the shown page; undefined while they load. */
  rows: readonly Row[] | undefined;
  /** The reason for an empty list. */
  error: Error | null;
  page: number;
  pageCount: number;
  /** Further rows are loading. */
  isGrowing: boolean;
  /** The error of the request for further rows. */
  growthError: Error | null;
  /** The shown page is the last loaded one, is not full, and the server may have more rows. */
  hasRoom: boolean;
  /** Requests the next rows, or retries after a failure. */
  grow: () => void;
  /** Set when the server may have more rows than the sorted ones: the number of sorted rows. */
  sortedRows: number | undefined;
  /** The sortable columns; undefined for all that have values. */
  sorts: readonly string[] | undefined;
  isRefreshing: boolean;
  refresh: () => void;
  /** Reads the unsearched list again, also while a search is shown. */
  reload: () => void;
}

/** One page of a list as its address describes: fetched as far as needed, or searched, then sorted and cut. */
export const useList = <Row extends Identified>({
  pages: plain,
  queried,
  narrowed,
  found,
  search,
  columns,
}: ListSource<Row>): List<Row> => {
  const isSearch = found !== undefined && search.q !== undefined;
  const filter = narrowed?.filter ?? {};
  // If the server sorts, only its columns are sortable: sorting here would cover only the loaded rows.
  const sorts = queriesLists() ? queried?.sorts : undefined;
  const isSorted = sorts !== undefined && readListSort(search.sort ?? "", sorts) !== undefined;
  const sort = sorts === undefined || isSorted ? search.sort : undefined;
  const pages =
    queried && !isSearch && sorts && (isSorted || isNarrowed(filter)) ? queried.pages(sort, filter) : plain;
  const grown = useInfiniteQuery({ ...pages, enabled: !isSearch });
  const hits = useQuery(found ?? searchList<Row>(pages.queryKey, "", async () => []));
  const query = isSearch ? hits : grown;
  const fits = narrowed?.fits ?? (() => true);
  const rows = isSearch ? hits.data?.filter(fits) : grown.data && joinPages(grown.data.pages);
  const arrived = grown.data?.pages.length ?? 0;
  const { fetchNextPage, isFetching, isFetchNextPageError, isPlaceholderData } = grown;

  // The sorted pages of this list; a request for more in one list does not apply to another.
  const list = hashKey(pages.queryKey);
  const [reach, setReach] = useState({ list, pages: PAGES_TO_SORT });
  const view = viewList(
    {
      rows: rows ?? [],
      pages: arrived,
      // While rows of the previous list are shown as placeholders, they do not tell whether more rows follow.
      canGrow: !isSearch && grown.hasNextPage && !isPlaceholderData,
      hasFailed: isFetchNextPageError,
      hasFailedBefore: grown.errorUpdateCount > 0,
    },
    // Rows sorted by the server are not sorted again: it compares texts by other rules.
    { ...search, sort: isSorted && !isSearch ? undefined : sort },
    columns,
    reach.list === list ? reach.pages : PAGES_TO_SORT,
  );

  // An effect, because the server is outside React: it requests needed rows.
  useEffect(() => {
    if (view.wantsMore && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [view.wantsMore, isFetching, fetchNextPage]);

  return {
    rows: rows && view.rows,
    error: rows === undefined ? query.error : null,
    page: view.page,
    pageCount: view.pageCount,
    isGrowing: grown.isFetchingNextPage || view.wantsMore,
    growthError: view.hasFailed ? grown.error : null,
    hasRoom: view.hasRoom,
    grow: () => {
      if (isFetching) return;
      if (arrived >= reach.pages || reach.list !== list) setReach({ list, pages: arrived + PAGES_TO_SORT });
      void fetchNextPage({ cancelRefetch: false });
    },
    sortedRows: view.isPartlySorted ? rows?.length : undefined,
    sorts,
    isRefreshing: query.isFetching && !query.isPending,
    refresh: () => void query.refetch(),
    reload: () => void grown.refetch(),
  };
};
