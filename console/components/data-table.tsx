import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { nextSort } from "../lib/list-search";
import { useNarrow } from "../lib/use-narrow";

export interface Column<Row> {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable, by this value. */
  sortBy?: (row: Row) => number | string;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Where it stands on a phone's card; a labelled line unless said otherwise. */
  card?: "head" | "side" | "foot" | "none";
  /** Stays in view at the end of a table that is wider than the screen. */
  isPinned?: boolean;
  className?: string;
}

/** Opaque, because the other columns pass under it; a shadow for its line, because a collapsed border scrolls away. */
const PINNED =
  "sticky end-0 z-[1] bg-surface group-hover:bg-canvas max-xl:shadow-[inset_1px_0_0_var(--line)]";

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: Column<Row>[];
  /** The rows of the shown page; undefined while they are loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row, index: number) => string | number;
  /** Rows that are switched off are written fainter. */
  isFaint?: (row: Row) => boolean;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  /** Shown in place of the rows when there are none. */
  empty: ReactNode;
  /** Buttons under the rows. */
  actions: ReactNode;
  pagination: ReactNode;
}

// Only phones need it.
const CardSort = lazy(() => import("./card-sort"));

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * A list of rows: a table, or on a narrow screen a card per row made from the same columns. It only renders: rows
 * arrive sorted and cut to one page.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const isNarrow = useNarrow();
  const isEmpty = props.rows?.length === 0;
  return (
    <section
      aria-label={props.label}
      aria-busy={props.rows === undefined}
      className="rounded-lg border border-line bg-surface"
    >
      {isNarrow && !isEmpty && (
        <Suspense>
          <CardSort columns={props.columns} sort={props.sort} onSort={props.onSort} />
        </Suspense>
      )}
      {isEmpty ? props.empty : isNarrow ? <Cards {...props} /> : <Grid {...props} />}
      <footer className="bottom-0 z-10 flex flex-wrap items-center justify-between gap-2 rounded-b-lg border-line border-t bg-surface px-3 py-2.5 wide:sticky">
        <div className="flex flex-wrap items-center gap-2">{props.actions}</div>
        {props.pagination}
      </footer>
    </section>
  );
};

const Grid = <Row,>({ label, columns, rows, rowKey, isFaint, sort, onSort }: DataTableProps<Row>) => (
  <div className="overflow-x-auto">
    <table aria-label={label} className="w-full border-collapse text-[13.5px] tabular-nums">
      <thead>
        <tr className="border-line border-b text-[12.5px] text-ink-2">
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row, index) => (
          <tr
            key={rowKey(row, index)}
            className={clsx(
              "group border-line border-b last:border-b-0 hover:bg-canvas",
              isFaint?.(row) && "text-ink-2",
            )}
          >
            {columns.map((column) => (
              <td
                key={column.id}
                className={clsx(
                  "h-11 px-3 py-1.5 first:ps-4 last:pe-4",
                  column.isNumber && "text-end",
                  column.isPinned && PINNED,
                  column.className,
                )}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        )) ??
          SKELETON_ROWS.map((row) => (
            <tr key={row} className="border-line border-b last:border-b-0">
              {columns.map((column) => (
                <td key={column.id} className="h-11 px-3 first:ps-4 last:pe-4">
                  <div className="skeleton h-3.5 w-full min-w-8" />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </div>
);

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

const HeadCell = <Row,>({ column, sort, onSort }: HeadCellProps<Row>) => {
  const isAscending = sort === column.id;
  const isDescending = sort === `-${column.id}`;
  const Arrow = isAscending ? ArrowUp : isDescending ? ArrowDown : ChevronsUpDown;
  return (
    <th
      scope="col"
      aria-sort={isAscending ? "ascending" : isDescending ? "descending" : undefined}
      className={clsx(
        "h-10 whitespace-nowrap px-3 text-start font-medium first:ps-4 last:pe-4",
        column.isNumber && "text-end",
        column.isPinned && clsx(PINNED, "rounded-se-lg"),
      )}
    >
      {column.sortBy ? (
        <button
          type="button"
          onClick={() => onSort(nextSort(sort, column.id))}
          className={clsx(
            "group -mx-1 inline-flex h-7 items-center gap-1 rounded-sm px-1 font-medium hover:text-ink",
            (isAscending || isDescending) && "text-ink",
            column.isNumber && "flex-row-reverse",
          )}
        >
          {column.label}
          <Arrow
            aria-hidden
            className={clsx("size-3", !isAscending && !isDescending && "opacity-45 group-hover:opacity-100")}
          />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
};

const Cards = <Row,>({ columns, rows, rowKey, isFaint }: DataTableProps<Row>) => {
  const head = columns.filter((column) => column.card === "head");
  const side = columns.filter((column) => column.card === "side");
  const foot = columns.filter((column) => column.card === "foot");
  const lines = columns.filter((column) => column.card === undefined);
  return (
    <ul className="divide-y divide-line">
      {rows?.map((row, index) => (
        <li key={rowKey(row, index)} className={clsx("px-4 py-3", isFaint?.(row) && "text-ink-2")}>
          <div className="flex items-center justify-between gap-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
              {head.map((column) => (
                <span key={column.id} className="min-w-0 break-words">
                  {column.cell(row)}
                </span>
              ))}
            </div>
            <div className="shrink-0 text-[13px]">
              {side.map((column) => (
                <span key={column.id}>{column.cell(row)}</span>
              ))}
            </div>
          </div>
          <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 text-[13px] tabular-nums">
            {lines.map((column) => {
              const content = column.cell(row);
              if (content === "") return null;
              return (
                <div key={column.id} className={clsx("min-w-0", column.className)}>
                  <dt className="text-[12px] text-ink-3">{column.label}</dt>
                  <dd className="min-w-0 break-words">{content}</dd>
                </div>
              );
            })}
          </dl>
          {foot.map((column) => (
            <div key={column.id} className="mt-2 -ms-2">
              {column.cell(row)}
            </div>
          ))}
        </li>
      )) ??
        SKELETON_ROWS.slice(0, 4).map((row) => (
          <li key={row} className="flex flex-col gap-3 px-4 py-4">
            <div className="skeleton h-4 w-2/5" />
            <div className="skeleton h-4 w-full" />
            <div className="skeleton h-4 w-4/5" />
          </li>
        ))}
    </ul>
  );
};
