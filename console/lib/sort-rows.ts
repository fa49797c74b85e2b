import { PAGE_SIZE } from "@tollgate/contract/management/envelope";

type SortValue = number | string;

/** Created once: creating one per comparison takes longer than comparing. */
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

/** The sort column of a list; undefined if unsorted or unknown. */
export const sortColumn = <Row>(
  sort: string | undefined,
  columns: readonly SortableColumn<Row>[],
): ((row: Row) => SortValue) | undefined =>
  columns.find((column) => column.id === sort?.replace(/^-/, ""))?.sortBy;

/** The rows sorted by `sort`; equal rows keep their order, and an unknown column changes nothing. */
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

/** Cuts one page out of the loaded rows. */
export const cutPage = <Row>(rows: readonly Row[], page = 1, size = PAGE_SIZE): PageOfRows<Row> => {
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(1, page), pageCount);
  return { rows: rows.slice((shown - 1) * size, shown * size), page: shown, pageCount };
};
