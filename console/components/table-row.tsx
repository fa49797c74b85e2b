import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { type Column, isAtEnd, PINNED } from "./column";

interface TableRowProps<Row> extends ComponentProps<"tr"> {
  row: Row;
  columns: Column<Row>[];
  isFaint?: boolean;
}

export const TableRow = <Row,>({ row, columns, isFaint, ...rest }: TableRowProps<Row>) => (
  <tr
    {...rest}
    className={clsx("group border-line border-b last:border-b-0 hover:bg-canvas", isFaint && "text-ink-2")}
  >
    {columns.map((column) => (
      <td
        key={column.id}
        className={clsx(
          "h-9 px-3 py-1 first:ps-4 last:pe-4",
          isAtEnd(column) && "text-end",
          column.isPinned && PINNED,
          column.className,
        )}
      >
        {column.cell(row)}
      </td>
    ))}
  </tr>
);
