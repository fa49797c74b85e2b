import type { FilterKinds } from "@tollgate/contract/resource/list-filter";
import type { searchList } from "./growing-list";
import type { ListSearch } from "./list-search";
import type { Identified, ListSource } from "./list-source";
import { type List, useList } from "./use-list";
import { type NarrowedList, useListFilter } from "./use-list-filter";
import { useListSearch } from "./use-list-search";

interface NarrowedSource<Row extends Identified, Column extends string>
  extends Pick<ListSource<Row>, "pages" | "queried" | "columns"> {
  /** The columns that the list's endpoint can filter by. */
  kinds: FilterKinds<Column>;
  /** The search for a keyword, with a server that does not page it. */
  found?: (keyword: string) => ReturnType<typeof searchList<Row>>;
}

/** A list with its search and its filters, as the list page shows it. */
export const useNarrowedList = <Row extends Identified, Column extends string>({
  kinds,
  found,
  ...source
}: NarrowedSource<Row, Column>): {
  search: ListSearch;
  onSearch: (change: ListSearch) => void;
  narrowed: NarrowedList;
  list: List<Row>;
} => {
  const [search, onSearch] = useListSearch();
  const narrowed = useListFilter(kinds, search.q !== undefined);
  const list = useList({ ...source, narrowed, found: found?.(search.q ?? ""), search });
  return { search, onSearch, narrowed, list };
};
