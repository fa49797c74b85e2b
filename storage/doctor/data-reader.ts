import type { SqlRunner } from "../sql/sql-runner";

/** Asks data as it was at one moment, in SQL that every engine runs. */
export interface DataReader extends SqlRunner {
  /** Rows some at a time, for what may be more than memory holds; leaving the loop early reads no further. */
  pages<Row>(sql: string): AsyncIterable<readonly Row[]>;
}
