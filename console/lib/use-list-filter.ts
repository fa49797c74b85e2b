import {
  type FilterKinds,
  isNarrowed,
  type ListFilter,
  readListFilter,
} from "@tollgate/contract/resource/list-filter";
import { hasListExtra, queriesLists } from "./status";
import { useAddress } from "./use-address";

/** A column with a filter: one of its choices, or typed text if there are too many. */
export interface FilterChoice {
  column: string;
  label: string;
  choices: readonly (readonly [value: string | number, label: string])[];
  isTyped?: boolean;
}

/** The current filters of a list, which are in its address, and their setter. */
export interface NarrowedList {
  filter: ListFilter;
  /** Whether the server can filter lists at all. */
  isOffered: boolean;
  isNarrowed: boolean;
  /** Filters by a column; undefined removes the filter. */
  choose: (column: string, value: string | number | undefined) => void;
  clear: () => void;
}

/**
 * @param kinds the columns that the list's endpoint can filter by.
 * @param isSearch a keyword is searched for, which some servers cannot filter.
 */
export const useListFilter = <Column extends string>(
  kinds: FilterKinds<Column>,
  isSearch: boolean,
): NarrowedList => {
  const isOffered = queriesLists() && (!isSearch || hasListExtra("searches"));
  const [search, change] = useAddress((address) => readListFilter(address, kinds).filter);
  const filter: ListFilter<Column> = isOffered ? search : {};
  // Back to the first page of the remaining rows.
  const set = (values: Readonly<Record<string, unknown>>) =>
    change({ ...values, page: undefined } as Partial<typeof search>);
  return {
    filter,
    isOffered,
    isNarrowed: isNarrowed(filter),
    choose: (column, value) => set({ [column]: value }),
    clear: () => set(Object.fromEntries(Object.keys(kinds).map((column) => [column, undefined]))),
  };
};
