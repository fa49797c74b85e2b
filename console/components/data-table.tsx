import type { ReactNode } from "react";
import { useNarrow } from "../lib/use-narrow";
import type { Column } from "./column";
import { LazyBoundary } from "./lazy-boundary";
import type { LongRowAttributes } from "./long-list";
import { RowCard } from "./row-card";
import { TableHead } from "./table-head";
import { TableRow } from "./table-row";

export type { Column };

interface DataTableProps<Row> {
  /** The table's subject, for screen readers. */
  label: string;
  columns: Column<Row>[];
  /** The rows of the shown page; undefined while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row, index: number) => string | number;
  /** Rows that are switched off are faded. */
  isFaint?: (row: Row) => boolean;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  /** Shown before the first row. */
  above?: ReactNode;
  /** Shown after the last row. */
  end?: ReactNode;
  /** Shown in place of missing rows. */
  empty: ReactNode;
  /** Buttons under the rows. */
  actions: ReactNode;
  pagination: ReactNode;
}

/** From this number of rows on, only the visible ones are in the document. */
const MANY_ROWS = 60;

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * A list of rows: a table, or on a narrow screen a card per row built from the same columns. It only renders: rows
 * arrive sorted and cut to one page.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const isNarrow = useNarrow();
  const { rows } = props;
  const isLoading = rows === undefined;
  // The heights of cards vary: a footer below their placeholders would jump.
  const hasFooter = (props.actions !== null || props.pagination !== null) && !(isNarrow && isLoading);
  return (
    <section
      aria-label={props.label}
      aria-busy={isLoading}
      className="rounded-lg border border-line bg-surface"
    >
      {isNarrow && rows?.length !== 0 && (
        <LazyBoundary
          load={() => import("./card-sort")}
          fallback={props.columns.some(({ sortBy }) => sortBy) && <div className="h-[51px]" />}
          with={{ columns: props.columns, sort: props.sort, onSort: props.onSort }}
        />
      )}
      {props.above}
      {/*
       * The footer's margin reaches up into the rows: while sticky, it leaves the header and the first row visible. On
       * a low screen, such as at 200 % zoom, that would leave too little room, and it is not sticky.
       */}
      <div key={isLoading ? "loading" : "rows"} className={hasFooter ? "wide:-mb-22" : undefined}>
        {rows?.length === 0 ? props.empty : <Rows {...props} isNarrow={isNarrow} />}
      </div>
      {hasFooter && (
        <footer className="bottom-0 z-10 flex flex-wrap items-center justify-between gap-2 rounded-b-lg border-line border-t bg-surface px-3 py-2.5 wide:mt-22 [@media(min-height:561px)]:wide:sticky">
          <div className="flex flex-wrap items-center gap-2">{props.actions}</div>
          {props.pagination}
        </footer>
      )}
    </section>
  );
};

const Rows = <Row,>({ isNarrow, ...props }: DataTableProps<Row> & { isNarrow: boolean }) => {
  const { rows, end, rowKey, columns, isFaint } = props;
  const short = (shown: readonly Row[] | undefined) =>
    isNarrow ? (
      <Cards {...props} rows={shown} />
    ) : (
      <div className="overflow-x-auto">
        <Grid {...props} rows={shown} />
      </div>
    );
  if (rows === undefined || rows.length <= MANY_ROWS) {
    return (
      <>
        {short(rows)}
        {end}
      </>
    );
  }
  const list = { count: rows.length, end, keyOf: (index: number) => rowKey(rows[index] as Row, index) };
  const shared = (index: number) => {
    const row = rows[index] as Row;
    return { row, columns, isFaint: isFaint?.(row) };
  };
  const fallback = short(rows.slice(0, MANY_ROWS));
  // Needed only for pages with many rows.
  return isNarrow ? (
    <LazyBoundary
      key="cards"
      load={() => import("./long-cards")}
      fallback={fallback}
      with={{
        ...list,
        row: (index: number, attributes: LongRowAttributes<"li">) => (
          <RowCard {...attributes} {...shared(index)} />
        ),
      }}
    />
  ) : (
    <LazyBoundary
      key="table"
      load={() => import("./long-table")}
      fallback={fallback}
      with={{
        ...list,
        label: props.label,
        width: columns.length,
        head: <TableHead columns={columns} sort={props.sort} onSort={props.onSort} isSticky />,
        row: (index: number, attributes: LongRowAttributes<"tr">) => (
          <TableRow {...attributes} {...shared(index)} />
        ),
      }}
    />
  );
};

const Grid = <Row,>({ label, columns, rows, rowKey, isFaint, sort, onSort }: DataTableProps<Row>) => (
  <table aria-label={label} className="w-full border-collapse text-sm tabular-nums">
    <TableHead columns={columns} sort={sort} onSort={onSort} />
    <tbody>
      {rows?.map((row, index) => (
        <TableRow key={rowKey(row, index)} row={row} columns={columns} isFaint={isFaint?.(row)} />
      )) ??
        SKELETON_ROWS.map((row) => (
          <tr key={row} className="border-line border-b last:border-b-0">
            {columns.map((column) => (
              <td key={column.id} className="h-9 px-3 first:ps-4 last:pe-4">
                <div className="skeleton h-3.5 w-full min-w-8" />
              </td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
);

const Cards = <Row,>({ columns, rows, rowKey, isFaint }: DataTableProps<Row>) => (
  <ul>
    {rows?.map((row, index) => (
      <RowCard key={rowKey(row, index)} row={row} columns={columns} isFaint={isFaint?.(row)} />
    )) ??
      SKELETON_ROWS.slice(0, 4).map((row) => (
        <li key={row} className="flex flex-col gap-3 border-line border-b px-4 py-4 last:border-b-0">
          <div className="skeleton h-4 w-2/5" />
          <div className="skeleton h-4 w-full" />
          <div className="skeleton h-4 w-4/5" />
        </li>
      ))}
  </ul>
);
