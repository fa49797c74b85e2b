import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import type { ListSearch } from "./list-search";
import { cutPage, type SortableColumn, sortColumn, sortRows } from "./sort-rows";

/** What has arrived of a list, and how the newest request for more went. */
export interface ArrivedRows<Row> {
  /** Each row once, in the server's order. */
  rows: readonly Row[];
  /** How many of the server's pages they came in. */
  pages: number;
  /** The server may have more. */
  canGrow: boolean;
  /** The newest request for more failed. */
  hasFailed: boolean;
  /** An earlier one failed, too: what is shown stays while it is asked for again. */
  hasFailedBefore: boolean;
}

export interface ListView<Row> {
  /** The rows of the shown page; undefined while those that belong there are on their way. */
  rows: readonly Row[] | undefined;
  page: number;
  pageCount: number;
  /** The next page of the server has to be asked for without being told to. */
  wantsMore: boolean;
  /** The shown page is the last that has arrived, is not full, and the server may have more rows. */
  hasRoom: boolean;
  /** The rows that belong after the shown ones could not be read. */
  hasFailed: boolean;
  /** The list is sorted, but what is sorted is not all that the server may have. */
  isPartlySorted: boolean;
}

/** So many of the server's pages are read by themselves before a list is sorted; more on request. */
export const PAGES_TO_SORT = 20;

/**
 * What is to be shown of a list that arrives page by page, and whether more of it is needed.
 *
 * In the server's order, a list is read one page ahead of the shown one, so that a page is only offered when it has
 * rows. In another order, all rows must be there first: a row that arrives later belongs anywhere, and would move
 * others across the pages that a person steps through. They are read up to `pagesToSort`; what is sorted then stays as
 * it is until more is asked for.
 */
export const viewList = <Row>(
  { rows, pages, canGrow, hasFailed, hasFailedBefore }: ArrivedRows<Row>,
  search: ListSearch,
  columns: readonly SortableColumn<Row>[],
  pagesToSort: number,
): ListView<Row> => {
  const wanted = search.page ?? 1;
  const size = search.size ?? PAGE_SIZE;
  const shown = cutPage(sortRows(rows, search.sort, columns), wanted, size);
  if (sortColumn(search.sort, columns)) {
    const wantsMore = canGrow && pages < pagesToSort && !hasFailed;
    return {
      ...shown,
      ...(wantsMore && { rows: undefined, page: wanted, pageCount: 1 }),
      wantsMore,
      hasRoom: false,
      hasFailed: canGrow && hasFailed,
      isPartlySorted: canGrow,
    };
  }
  const isLast = shown.page === shown.pageCount;
  const isFull = shown.rows.length === size;
  const isShort = canGrow && rows.length <= (wanted - 1) * size;
  const isWaiting = isShort && !hasFailed && !hasFailedBefore;
  return {
    ...shown,
    ...(isWaiting && { rows: undefined, page: wanted }),
    // A list's first rows are looked past quietly: most often nothing follows.
    wantsMore: canGrow && !hasFailed && (isShort || (isLast && (isFull || pages === 1))),
    hasRoom: canGrow && isLast && !isFull && pages > 1,
    hasFailed: canGrow && isLast && hasFailed,
    isPartlySorted: false,
  };
};
