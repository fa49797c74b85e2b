import { PAGE_SIZE } from "@tollgate/contract/management/envelope";

/** What of a list's state lives in the address. `sort` is a column id, with "-" before it for descending. */
export interface ListSearch {
  q?: string;
  page?: number;
  /** Rows per page, one of PAGE_SIZES; absent means PAGE_SIZE. */
  size?: number;
  sort?: string;
}

/** How many rows a page may hold. The first is the specification's (section 9). */
export const PAGE_SIZES: readonly number[] = [PAGE_SIZE, 50, 100, 1000];

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Reads a list's state from the address; anything unfit is left out. */
export const readListSearch = (search: Record<string, unknown>): ListSearch => {
  const page = Number(search.page);
  const size = Number(search.size);
  return {
    q: text(search.q),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    size: size !== PAGE_SIZE && PAGE_SIZES.includes(size) ? size : undefined,
    sort: text(search.sort),
  };
};

/** The sort that a click on a column's head leads to: ascending, descending, none. */
export const nextSort = (sort: string | undefined, column: string): string | undefined => {
  if (sort === column) return `-${column}`;
  return sort === `-${column}` ? undefined : column;
};

type SortValue = number | string;

/** Made once: to make one for each comparison takes longer than to compare. */
const collator = new Intl.Collator("zh-CN", { numeric: true });

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === "number" && typeof b === "number"
    ? // Two infinities differ by NaN.
      a - b || 0
    : collator.compare(String(a), String(b));

export interface SortableColumn<Row> {
  id: string;
  sortBy?: (row: Row) => SortValue;
}

/** What a list is sorted by; undefined when it is not, or by an unknown column. */
export const sortColumn = <Row>(
  sort: string | undefined,
  columns: readonly SortableColumn<Row>[],
): ((row: Row) => SortValue) | undefined =>
  columns.find((column) => column.id === sort?.replace(/^-/, ""))?.sortBy;

/** The rows in the order of `sort`; equal rows keep their order, and an unknown column leaves all as they are. */
export const sortRows = <Row>(
  rows: readonly Row[],
  sort: string | undefined,
  columns: readonly SortableColumn<Row>[],
): readonly Row[] => {
  const isDescending = sort?.startsWith("-") ?? false;
  const sortBy = sortColumn(sort, columns);
  if (!sortBy) return rows;
  return rows.toSorted((a, b) =>
    isDescending ? compare(sortBy(b), sortBy(a)) : compare(sortBy(a), sortBy(b)),
  );
};

export interface PageOfRows<Row> {
  rows: readonly Row[];
  /** The shown page, from 1; a page beyond the end becomes the last one. */
  page: number;
  pageCount: number;
}

/** Cuts one page out of the rows that have arrived. */
export const cutPage = <Row>(rows: readonly Row[], page = 1, size = PAGE_SIZE): PageOfRows<Row> => {
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(1, page), pageCount);
  return { rows: rows.slice((shown - 1) * size, shown * size), page: shown, pageCount };
};
