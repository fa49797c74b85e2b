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
  /** A row's value in a column, as sent. */
  readValue: (row: Row, column: Column) => unknown;
  /** The search for a keyword. */
  found?: (keyword: string) => ReturnType<typeof searchList<Row>>;
}

/** A list with its search and its filters, as the list page shows it. */
export const useNarrowedList = <Row extends Identified, Column extends string>({
  kinds,
  readValue,
  found,
  ...source
}: NarrowedSource<Row, Column>): {
  search: ListSearch;
  onSearch: (change: ListSearch) => void;
  narrowed: NarrowedList<Row>;
  list: List<Row>;
} => {
  const [search, onSearch] = useListSearch();
  const narrowed = useListFilter(kinds, readValue);
  const list = useList({ ...source, narrowed, found: found?.(search.q ?? ""), search });
  return { search, onSearch, narrowed, list };
};
