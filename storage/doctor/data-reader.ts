import type { SqlRunner } from "../sql/sql-runner";

/** Asks data as it was at one moment, in SQL that every engine runs. */
export interface DataReader extends SqlRunner {
  /** Reads rows in pages, because all may exceed the memory; leaving the loop early reads no further. */
  pages<Row>(sql: string): AsyncIterable<readonly Row[]>;
}
