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

/** The shown page of the loaded rows, and the page that was asked for. */
interface ShownPage<Row> extends Pick<ListView<Row>, "page" | "pageCount"> {
  rows: readonly Row[];
  wanted: number;
  size: number;
}

/**
 * The view of a sorted list. All rows must be loaded first: a late row belongs anywhere, and would move others between
 * pages while a user turns them. Up to `pagesToSort` pages are read; the sorted rows then stay unchanged until the user
 * requests more.
 */
const viewSorted = <Row>(
  { wanted, rows, page, pageCount }: ShownPage<Row>,
  { pages, canGrow, hasFailed }: ArrivedRows<Row>,
  pagesToSort: number,
): ListView<Row> => {
  const wantsMore = canGrow && pages < pagesToSort && !hasFailed;
  return {
    ...(wantsMore ? { rows: undefined, page: wanted, pageCount: 1 } : { rows, page, pageCount }),
    wantsMore,
    hasRoom: false,
    hasFailed: canGrow && hasFailed,
    isPartlySorted: canGrow,
  };
};

/**
 * The view of a list in the server's order. It is read one page ahead of the shown one, so that the next page is only
 * offered when it has rows.
 */
const viewInOrder = <Row>(
  { wanted, size, rows, page, pageCount }: ShownPage<Row>,
  { rows: { length: count }, pages, canGrow, hasFailed, hasFailedBefore }: ArrivedRows<Row>,
): ListView<Row> => {
  const isLast = page === pageCount;
  const isFull = rows.length === size;
  const isShort = canGrow && count <= (wanted - 1) * size;
  const isWaiting = isShort && !hasFailed && !hasFailedBefore;
  return {
    ...(isWaiting ? { rows: undefined, page: wanted } : { rows, page }),
    pageCount,
    // Reads one page past a list's first rows in the background: most often it is empty.
    wantsMore: canGrow && !hasFailed && (isShort || (isLast && (isFull || pages === 1))),
    hasRoom: canGrow && isLast && !isFull && pages > 1,
    hasFailed: canGrow && isLast && hasFailed,
    isPartlySorted: false,
  };
};

/** The shown part of a list that arrives page by page, and whether more of it is needed. */
export const viewList = <Row>(
  arrived: ArrivedRows<Row>,
  search: ListSearch,
  columns: readonly SortableColumn<Row>[],
  pagesToSort: number,
): ListView<Row> => {
  const { page: wanted = 1, size = PAGE_SIZE, sort } = search;
  const shown = { ...cutPage(sortRows(arrived.rows, sort, columns), wanted, size), wanted, size };
  return sortColumn(sort, columns) ? viewSorted(shown, arrived, pagesToSort) : viewInOrder(shown, arrived);
};
