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
  /** The current filters of the list, and whether a found row fits them. */
  narrowed?: { filter: ListFilter; fits: (row: Row) => boolean };
  /** The search that replaces the pages while there is a keyword. */
  found?: ReturnType<typeof searchList<Row>>;
  search: ListSearch;
  columns: readonly SortableColumn<Row>[];
}

/** The reads of a list, and the sorting of their rows. */
interface Reads<Row extends Identified> {
  /** The search replaces the pages. */
  isSearch: boolean;
  pages: GrowingList<Row>;
  /** The sortable columns; undefined for all that have values. */
  sorts: readonly string[] | undefined;
  /** The order that the rows must be brought into here; undefined for the server's. */
  sort: string | undefined;
}

/**
 * Chooses what to read for a list as its address describes it.
 * @param canQuery the server sorts and filters lists.
 */
export const chooseReads = <Row extends Identified>(
  { pages, queried, narrowed, found, search }: Omit<ListSource<Row>, "columns">,
  canQuery: boolean,
): Reads<Row> => {
  const isSearch = found !== undefined && search.q !== undefined;
  if (!queried || !canQuery) return { isSearch, pages, sorts: undefined, sort: search.sort };
  // If the server sorts, only its columns are sortable: sorting here would cover only the loaded rows.
  const { sorts } = queried;
  const sort = readListSort(search.sort ?? "", sorts) && search.sort;
  if (isSearch) return { isSearch, pages, sorts, sort };
  const filter = narrowed?.filter ?? {};
  const isQueried = sort !== undefined || isNarrowed(filter);
  // Rows sorted by the server are not sorted again: it compares texts by other rules.
  return { isSearch, pages: isQueried ? queried.pages(sort, filter) : pages, sorts, sort: undefined };
};
