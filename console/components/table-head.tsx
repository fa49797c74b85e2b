import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { nextSort } from "../lib/list-search";
import { type Column, isAtEnd, PINNED } from "./column";

interface TableHeadProps<Row> {
  columns: Column<Row>[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  /** Stays visible while the rows scroll under it. */
  isSticky?: boolean;
}

/** The header of a table; a click on a sortable column's name sorts by it. */
export const TableHead = <Row,>({ columns, sort, onSort, isSticky }: TableHeadProps<Row>) => (
  <thead className={clsx(isSticky && "sticky top-0 z-[2] bg-surface shadow-[0_1px_0_var(--line)]")}>
    <tr className="border-line border-b text-xs text-ink-2" aria-rowindex={isSticky ? 1 : undefined}>
      {columns.map((column) => (
        <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
      ))}
    </tr>
  </thead>
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
      // Its name is the column's, without the mark before it.
      aria-label={column.headMark === undefined ? undefined : column.label}
      aria-sort={isAscending ? "ascending" : isDescending ? "descending" : undefined}
      className={clsx(
        "h-9 whitespace-nowrap px-3 font-medium first:ps-4 last:pe-4",
        isAtEnd(column) ? "text-end" : "text-start",
        column.isPinned && clsx(PINNED, "rounded-se-lg"),
      )}
    >
      {column.headMark}
      {column.sortBy ? (
        <button
          type="button"
          title={column.sortNote}
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
