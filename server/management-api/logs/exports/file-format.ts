import { stringify } from "csv-stringify/sync";

export const FILE_FORMATS = ["csv", "jsonl"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** https://www.rfc-editor.org/rfc/rfc4180#section-3, https://github.com/ndjson/ndjson-spec */
export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
};

/** A cell: null is an empty one. */
export type Cell = string | number | boolean | null;

/** A column of a file: its name is the same for readers of every language. */
export interface FileColumn<Row> {
  name: string;
  of(row: Row): Cell;
}

/** Without it Excel decodes the bytes with an old code page, which garbles Chinese. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * RFC 4180. A text that a spreadsheet would take for a formula has a ' before it
 * (https://owasp.org/www-community/attacks/CSV_Injection); a number is never one.
 */
const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  stringify(rows as Cell[][], {
    escape_formulas: true,
    record_delimiter: "windows",
    cast: { boolean: String },
  });

/** The text before the first record. */
export const fileHead = <Row>(format: FileFormat, columns: readonly FileColumn<Row>[]): string =>
  format === "csv" ? BYTE_ORDER_MARK + toCsv([columns.map(({ name }) => name)]) : "";

export const fileRows = <Row>(
  format: FileFormat,
  columns: readonly FileColumn<Row>[],
  rows: readonly Row[],
): string => {
  if (format === "csv") return toCsv(rows.map((row) => columns.map(({ of }) => of(row))));
  return rows
    .map((row) => `${JSON.stringify(Object.fromEntries(columns.map(({ name, of }) => [name, of(row)])))}\n`)
    .join("");
};
