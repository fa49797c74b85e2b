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
  /** The rows as a server that does so sorts and narrows them. */
  queried?: QueriedList<Row>;
  /** What the list is narrowed to, and which of the found rows fit that. */
  narrowed?: { filter: ListFilter; fits: (row: Row) => boolean };
  /** The search that replaces the pages while there is a keyword. */
  found?: ReturnType<typeof searchList<Row>>;
  search: ListSearch;
  columns: readonly SortableColumn<Row>[];
}

export interface List<Row> {
  /** The rows of the shown page; undefined while the ones that belong there load. */
  rows: readonly Row[] | undefined;
  /** Why there is nothing to show. */
  error: Error | null;
  page: number;
  pageCount: number;
  /** Rows after those that have arrived are on their way. */
  isGrowing: boolean;
  /** Why the rows after the shown ones did not come. */
  growthError: Error | null;
  /** The shown page is the last that has arrived, is not full, and the server may have more rows. */
  hasRoom: boolean;
  /** Asks for the next rows, or once more for those that did not come. */
  grow: () => void;
  /** Set when the rows in the chosen order are not all that the server may have: how many they are. */
  sortedRows: number | undefined;
  /** The columns by which it can be sorted; undefined for all that have values. */
  sorts: readonly string[] | undefined;
  isRefreshing: boolean;
  refresh: () => void;
  /** Reads the unsearched list again, also while a search is shown. */
  reload: () => void;
}

/** One page of a list as its address says: fetched as far as needed, or searched, then sorted and cut. */
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
  // What a server sorts is sorted by nothing else: it would be some of the rows.
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

  // How far a sorted list is read; asking for more of one list says nothing about another.
  const list = hashKey(pages.queryKey);
  const [reach, setReach] = useState({ list, pages: PAGES_TO_SORT });
  const view = viewList(
    {
      rows: rows ?? [],
      pages: arrived,
      // Rows of the list before, shown until the first of this one come, say nothing about what follows.
      canGrow: !isSearch && grown.hasNextPage && !isPlaceholderData,
      hasFailed: isFetchNextPageError,
      hasFailedBefore: grown.errorUpdateCount > 0,
    },
    // What comes in its order is not sorted again: the server compares texts by other rules.
    { ...search, sort: isSorted && !isSearch ? undefined : sort },
    columns,
    reach.list === list ? reach.pages : PAGES_TO_SORT,
  );

  // The outside system is the server: rows that are needed and have not arrived yet are asked for.
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
