/** Columns are read as texts, or in SQLite's own types; whole numbers beyond 2^53 always as texts. */
export type SourceValue = string | number | null;

export interface SourceTableShape {
  name: string;
  columns: readonly string[];
}

export interface RowsWish {
  table: string;
  columns: readonly string[];
  /** A unique column, in the order of which rows come. */
  key: string;
  /** Whether `key` holds whole numbers. */
  isNumber: boolean;
  /** Rows of one block. */
  rows: number;
  /** Of a longer text only so many characters are read. */
  longest: number;
}

/**
 * The database of another program: read as of one moment where the engine can, and never changed. Failures are a
 * SourceRefused without the driver's message, which could contain the password.
 */
export interface SourceDatabase {
  readonly engine: "sqlite" | "mysql" | "postgres";
  /** Where it is, for people: a path, or host and database; never a password. */
  readonly place: string;
  /** All tables, in the order of their names. */
  tables(): Promise<readonly SourceTableShape[]>;
  /** How many rows of a table have something in a column, by column; `undefined` for how many there are. */
  counts(table: string, columns: readonly string[]): Promise<{ rows: number; filled: number[] }>;
  /** Rows in blocks, of each row the columns in their order. */
  rows(wish: RowsWish): AsyncIterable<readonly (readonly SourceValue[])[]>;
  close(): Promise<void>;
}
