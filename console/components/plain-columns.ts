import { formatTime } from "../lib/format";
import type { Column } from "./column";

/* Columns that show a value as it is, and are sorted by it. */

type Look<Row> = Pick<Column<Row>, "card" | "className">;

export const textColumn = <Row>(
  id: string,
  label: string,
  of: (row: Row) => string,
  look: Look<Row> = {},
): Column<Row> => ({ id, label, cell: of, sortBy: of, ...look });

/** @param of unix seconds */
export const timeColumn = <Row>(
  id: string,
  label: string,
  of: (row: Row) => number,
  look: Look<Row> = {},
): Column<Row> => ({
  id,
  label,
  cell: (row) => formatTime(of(row)),
  sortBy: of,
  className: "wide:whitespace-nowrap",
  ...look,
});

export const numberColumn = <Row>(
  id: string,
  label: string,
  of: (row: Row) => number,
  format: (value: number) => string,
  look: Look<Row> = {},
): Column<Row> => ({ id, label, cell: (row) => format(of(row)), sortBy: of, isNumber: true, ...look });
