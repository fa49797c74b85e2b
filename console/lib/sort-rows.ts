import { PAGE_SIZE } from "@tollgate/contract/management/envelope";

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
