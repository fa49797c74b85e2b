import { clsx } from "clsx";
import type { ComponentProps } from "react";
import type { Column } from "./column";

interface RowCardProps<Row> extends ComponentProps<"li"> {
  row: Row;
  columns: Column<Row>[];
  isFaint?: boolean;
}

/** One row as a card for a narrow screen: its head, labelled lines and buttons. */
export const RowCard = <Row,>({ row, columns, isFaint, ...rest }: RowCardProps<Row>) => {
  const at = (place: Column<Row>["card"]) => columns.filter((column) => column.card === place);
  return (
    <li {...rest} className={clsx("border-line border-b px-4 py-3 last:border-b-0", isFaint && "text-ink-2")}>
      <div className="flex items-start justify-between gap-x-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 font-medium">
          {at("head").map((column) => (
            <span key={column.id} className="min-w-0 break-words">
              {column.cell(row)}
            </span>
          ))}
        </div>
        <div className="min-w-0 max-w-3/5 text-sm leading-[21px]">
          {at("side").map((column) => (
            <span key={column.id}>{column.cell(row)}</span>
          ))}
        </div>
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 text-sm tabular-nums">
        {at(undefined).map((column) => {
          const content = column.cell(row);
          if (content === "") return null;
          return (
            <div key={column.id} className={clsx("min-w-0", column.className)}>
              <dt className="text-xs text-ink-3">{column.label}</dt>
              <dd className="min-w-0 break-words">{content}</dd>
            </div>
          );
        })}
      </dl>
      {at("foot").map((column) => (
        <div key={column.id} className="mt-2 -ms-2">
          {column.cell(row)}
        </div>
      ))}
    </li>
  );
};
