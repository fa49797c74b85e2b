import { isNarrowed, type ListFilter } from "@tollgate/contract/resource/list-filter";
import { readListSort } from "@tollgate/contract/resource/list-sort";
import type { QueriedList } from "./endpoint-lists";
import type { growingList, searchList } from "./growing-list";
import type { ListSearch } from "./list-search";
import type { SortableColumn } from "./sort-rows";

export interface Identified {
  id: number;
}
type GrowingList<Row extends Identified> = ReturnType<typeof growingList<Row>>;

export interface ListSource<Row extends Identified> {
  pages: GrowingList<Row>;
  /** The rows, from a server that sorts and filters them. */
  queried?: QueriedList<Row>;
  /** The current filters of the list, for a server that filters. */
  narrowed?: { filter: ListFilter };
  /** The search that replaces the pages while there is a keyword, with a server that does not page it. */
  found?: ReturnType<typeof searchList<Row>>;
  search: ListSearch;
  columns: readonly SortableColumn<Row>[];
}

/** The reads of a list, and the sorting of their rows. */
interface Reads<Row extends Identified> {
  /** The unpaged search replaces the pages. */
  isSearch: boolean;
  pages: GrowingList<Row>;
  /** The pages without the keyword. */
  unsearched: GrowingList<Row>;
  /** The sortable columns; undefined for all that have values. */
  sorts: readonly string[] | undefined;
  /** The order that the rows must be brought into here; undefined for the server's. */
  sort: string | undefined;
}

/**
 * Chooses what to read for a list as its address describes it.
 * @param canQuery the server sorts and filters lists. @param canSearch it does the same with what a keyword finds, and
 *   pages it.
 */
export const chooseReads = <Row extends Identified>(
  { pages, queried, narrowed, found, search }: Omit<ListSource<Row>, "columns">,
  { canQuery, canSearch }: { canQuery: boolean; canSearch: boolean },
): Reads<Row> => {
  const { q } = search;
  const isFound = found !== undefined && q !== undefined;
  if (!queried || !canQuery)
    return { isSearch: isFound, pages, unsearched: pages, sorts: undefined, sort: search.sort };
  // If the server sorts, only its columns are sortable: sorting here would cover only the loaded rows.
  const { sorts } = queried;
  const sort = readListSort(search.sort ?? "", sorts) && search.sort;
  const filter = narrowed?.filter ?? {};
  const isQueried = sort !== undefined || isNarrowed(filter);
  const unsearched = isQueried ? queried.pages(sort, filter) : pages;
  const isPaged = q !== undefined && (canSearch || found === undefined);
  const foundPages = isPaged ? queried.found?.(q, sort, filter) : undefined;
  if (isFound && !foundPages) return { isSearch: true, pages, unsearched, sorts, sort };
  // Rows sorted by the server are not sorted again: it compares texts by other rules.
  return { isSearch: false, pages: foundPages ?? unsearched, unsearched, sorts, sort: undefined };
};
