import { hashKey, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { joinPages, searchList } from "./growing-list";
import { chooseReads, type Identified, type ListSource } from "./list-source";
import { PAGES_TO_SORT, viewList } from "./list-view";
import { hasListExtra, queriesLists } from "./status";

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

/** Reads the search, or else the pages that have been requested. */
const useReads = <Row extends Identified>(source: ListSource<Row>) => {
  const { search, found } = source;
  const { pages, unsearched, isSearch, ...sorting } = chooseReads(source, {
    canQuery: queriesLists(),
    canSearch: hasListExtra("searches"),
  });
  const client = useQueryClient();
  const grown = useInfiniteQuery({ ...pages, enabled: !isSearch });
  const hits = useQuery(
    (isSearch ? found : undefined) ?? searchList<Row>(pages.queryKey, "", async () => []),
  );
  return {
    ...sorting,
    key: hashKey(pages.queryKey),
    grown,
    shown: isSearch ? hits : grown,
    rows: isSearch ? hits.data : grown.data && joinPages(grown.data.pages),
    arrived: grown.data?.pages.length ?? 0,
    // While rows of the previous list are shown as placeholders, they do not tell whether more rows follow.
    canGrow: !isSearch && grown.hasNextPage && !grown.isPlaceholderData,
    search: { ...search, sort: sorting.sort },
    reload: () =>
      void (isSearch || pages === unsearched
        ? grown.refetch()
        : client.invalidateQueries({ queryKey: unsearched.queryKey, exact: true })),
  };
};

/** Number of pages to read before the list is sorted. A request for more in one list does not apply to another. */
const useReach = (list: string) => {
  const [reach, setReach] = useState({ list, pages: PAGES_TO_SORT });
  const isOther = reach.list !== list;
  return {
    pages: isOther ? PAGES_TO_SORT : reach.pages,
    /** @param arrived number of read pages. */
    extend: (arrived: number) => {
      if (isOther || arrived >= reach.pages) setReach({ list, pages: arrived + PAGES_TO_SORT });
    },
  };
};

/** One page of a list as its address describes: fetched as far as needed, or searched, then sorted and cut. */
export const useList = <Row extends Identified>(source: ListSource<Row>): List<Row> => {
  const { key, grown, shown, rows, arrived, canGrow, search, sorts, reload } = useReads(source);
  const { fetchNextPage, isFetching } = grown;
  const reach = useReach(key);
  const view = viewList(
    {
      rows: rows ?? [],
      pages: arrived,
      canGrow,
      hasFailed: grown.isFetchNextPageError,
      hasFailedBefore: grown.errorUpdateCount > 0,
    },
    search,
    source.columns,
    reach.pages,
  );

  // An effect, because the server is outside React: it requests needed rows.
  useEffect(() => {
    if (view.wantsMore && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [view.wantsMore, isFetching, fetchNextPage]);

  return {
    rows: rows && view.rows,
    error: rows === undefined ? shown.error : null,
    page: view.page,
    pageCount: view.pageCount,
    isGrowing: grown.isFetchingNextPage || view.wantsMore,
    growthError: view.hasFailed ? grown.error : null,
    hasRoom: view.hasRoom,
    grow: () => {
      if (isFetching) return;
      reach.extend(arrived);
      void fetchNextPage({ cancelRefetch: false });
    },
    sortedRows: view.isPartlySorted ? rows?.length : undefined,
    sorts,
    isRefreshing: shown.isFetching && !shown.isPending,
    refresh: () => void shown.refetch(),
    reload,
  };
};
