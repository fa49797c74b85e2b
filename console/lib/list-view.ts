import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import type { ListSearch } from "./list-search";
import { cutPage, type SortableColumn, sortColumn, sortRows } from "./sort-rows";

/** The loaded part of a list, and the state of the newest request for more. */
export interface ArrivedRows<Row> {
  /** Each row once, in the server's order. */
  rows: readonly Row[];
  /** Number of server pages that they came in. */
  pages: number;
  /** The server may have more. */
  canGrow: boolean;
  /** The newest request for more failed. */
  hasFailed: boolean;
  /** An earlier request failed, too: the shown rows stay during the retry. */
  hasFailedBefore: boolean;
}

export interface ListView<Row> {
  /** The rows of the shown page; undefined while they load. */
  rows: readonly Row[] | undefined;
  page: number;
  pageCount: number;
  /** The next server page must be requested automatically. */
  wantsMore: boolean;
  /** The shown page is the last loaded one, is not full, and the server may have more rows. */
  hasRoom: boolean;
  /** Reading the rows after the shown ones failed. */
  hasFailed: boolean;
  /** The list is sorted, but the server may have further rows. */
  isPartlySorted: boolean;
}

/** Server pages read automatically before a list is sorted; more on request. */
export const PAGES_TO_SORT = 20;

/**
 * The shown part of a list that arrives page by page, and whether more of it is needed.
 *
 * In the server's order, a list is read one page ahead of the shown one, so that the next page is only offered when it
 * has rows. In another order, all rows must be loaded first: a late row belongs anywhere, and would move others between
 * pages while a user turns them. Up to `pagesToSort` pages are read; the sorted rows then stay unchanged until the user
 * requests more.
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
    // Reads one page past a list's first rows in the background: most often it is empty.
    wantsMore: canGrow && !hasFailed && (isShort || (isLast && (isFull || pages === 1))),
    hasRoom: canGrow && isLast && !isFull && pages > 1,
    hasFailed: canGrow && isLast && hasFailed,
    isPartlySorted: false,
  };
};
