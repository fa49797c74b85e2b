import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { readText } from "./address-values";

/** The part of a list's state in the address. `sort` is a column id, with "-" before it for descending. */
export interface ListSearch {
  q?: string;
  page?: number;
  /** Rows per page, one of PAGE_SIZES; absent means PAGE_SIZE. */
  size?: number;
  sort?: string;
}

/** Choices of rows per page. The first is the specification's (section 9). */
export const PAGE_SIZES: readonly number[] = [PAGE_SIZE, 50, 100, 1000];

/** Reads a list's state from the address; invalid values are left out. */
export const readListSearch = (search: Record<string, unknown>): ListSearch => {
  const page = Number(search.page);
  const size = Number(search.size);
  return {
    q: readText(search.q),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    size: size !== PAGE_SIZE && PAGE_SIZES.includes(size) ? size : undefined,
    sort: readText(search.sort),
  };
};

/** The sort after a click on a column's header: ascending, descending, none. */
export const nextSort = (sort: string | undefined, column: string): string | undefined => {
  if (sort === column) return `-${column}`;
  return sort === `-${column}` ? undefined : column;
};
