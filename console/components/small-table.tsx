import { clsx } from "clsx";
import type { ReactNode } from "react";

/** A column of a small table; its names are texts of the reader's language. */
export interface SmallColumn<Row> {
  id: string;
  label: string;
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  cell: (row: Row) => ReactNode;
  /** Its cell in the row of totals. */
  total?: ReactNode;
  isNumber?: boolean;
  /** Phones have no room for it. */
  isForWide?: boolean;
  className?: string | undefined;
}

interface SmallTableProps<Row> {
  label: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** A table inside a card, without order, pages and actions (those are DataTable's). */
export const SmallTable = <Row,>({ label, columns, rows, rowKey }: SmallTableProps<Row>) => {
  const classOf = ({ isNumber, isForWide, className }: SmallColumn<Row>, at: number) =>
    clsx(
      at === 0 || at === columns.length - 1 ? "px-4 max-wide:px-3" : "px-2",
      isNumber ? "text-end" : "text-start",
      isForWide && "max-wide:hidden",
      className,
    );
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="text-xs text-ink-2">
            {columns.map((column, at) => (
              <th
                key={column.id}
                scope="col"
                className={clsx("h-9 whitespace-nowrap font-medium", classOf(column, at))}
              >
                {column.isLabelHidden ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-line border-t">
              {columns.map((column, at) => (
                <td key={column.id} className={clsx("h-9 py-1.5", classOf(column, at))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {columns.some(({ total }) => total !== undefined) && (
          <tfoot>
            <tr className="border-line border-t font-medium">
              {columns.map((column, at) => (
                <td key={column.id} className={clsx("h-9", classOf(column, at))}>
                  {column.total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
};
