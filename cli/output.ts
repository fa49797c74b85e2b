/**
 * Output of a command: text for people, or with `--json` one JSON document for programs, and nothing else on stdout.
 */
export interface Output {
  readonly isJson: boolean;
  /** A line for people. */
  print(line: string): void;
  /** Rows for people, in columns. @param rows the first one names the columns. */
  table(rows: readonly (readonly (string | number)[])[]): void;
  /** A document that a command was asked for, as it is, also where programs read. */
  text(document: string): void;
  /** The whole result for programs; said once, at the end. */
  result(value: unknown): void;
  /** How far long work is; on stderr, so that a result can be piped. */
  progress(line: string): void;
}

/** Characters of East Asian scripts take two columns of a terminal. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Cursor movements and colours, which a name in the data may have. */
const CONTROL = /\p{Cc}|\p{Cf}/gu;

const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);

const isNumeric = (text: string): boolean => /^-?[\d.]+$/.test(text);

/** @returns the rows as lines, with numbers at the right of their column. */
export const formatTable = (rows: readonly (readonly (string | number)[])[]): string[] => {
  const cells = rows.map((row) => row.map((cell) => String(cell).replace(CONTROL, "")));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ""))),
  );
  return cells.map((row, index) =>
    row
      .map((cell, column) => {
        const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
        return index > 0 && isNumeric(cell) ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd(),
  );
};

/** @param streams where lines go. */
export const createOutput = (
  isJson: boolean,
  streams: { out(text: string): void; error(text: string): void },
): Output => ({
  isJson,
  print: (line) => {
    if (!isJson) streams.out(`${line}\n`);
  },
  table: (rows) => {
    if (!isJson) for (const line of formatTable(rows)) streams.out(`${line}\n`);
  },
  text: (document) => streams.out(document),
  result: (value) => {
    if (isJson) streams.out(`${JSON.stringify(value, null, 2)}\n`);
  },
  progress: (line) => streams.error(`${line}\n`),
});
