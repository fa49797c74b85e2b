import {
  type FilterKinds,
  fitsFilter,
  isNarrowed,
  type ListFilter,
  readListFilter,
} from "@tollgate/contract/resource/list-filter";
import { queriesLists } from "./status";
import { useAddress } from "./use-address";

/** A column that a list can be narrowed by: to one of its choices, or to what is typed where there are too many. */
export interface FilterChoice {
  column: string;
  label: string;
  choices: readonly (readonly [value: string | number, label: string])[];
  isTyped?: boolean;
}

/** What a list is narrowed to, which lives in its address, and how that is changed. */
export interface NarrowedList<Row> {
  filter: ListFilter;
  fits: (row: Row) => boolean;
  /** Whether the server can narrow lists at all. */
  isOffered: boolean;
  isNarrowed: boolean;
  /** Narrows by a column; undefined takes that back. */
  choose: (column: string, value: string | number | undefined) => void;
  clear: () => void;
}

/**
 * @param kinds the columns by which the list's endpoint narrows.
 * @param readValue the value of a row in a column, as it travels.
 */
export const useListFilter = <Row, Column extends string>(
  kinds: FilterKinds<Column>,
  readValue: (row: Row, column: Column) => unknown,
): NarrowedList<Row> => {
  const isOffered = queriesLists();
  const [search, change] = useAddress((address) => readListFilter(address, kinds).filter);
  const filter: ListFilter<Column> = isOffered ? search : {};
  // The first page of what is left.
  const set = (values: Readonly<Record<string, unknown>>) =>
    change({ ...values, page: undefined } as Partial<typeof search>);
  return {
    filter,
    fits: (row) => fitsFilter(filter, kinds, (column) => readValue(row, column)),
    isOffered,
    isNarrowed: isNarrowed(filter),
    choose: (column, value) => set({ [column]: value }),
    clear: () => set(Object.fromEntries(Object.keys(kinds).map((column) => [column, undefined]))),
  };
};
