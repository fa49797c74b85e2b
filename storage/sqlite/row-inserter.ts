import type { Connection, Statement } from "./connection";

type Value = number | string | null;

/** How many rows one statement takes: the call of a statement costs more than a row. */
const GROUP = 32;

/** Inserts rows into one table, many at a time, within transactions of its caller. */
export class RowInserter {
  private values: Value[] = [];
  private readonly one: Statement;
  private readonly many: Statement;
  private readonly width: number;

  constructor(connection: Connection, table: string, columns: readonly string[]) {
    this.width = columns.length;
    const row = `(${columns.map(() => "?").join(", ")})`;
    const insert = `INSERT INTO ${table} (${columns.join(", ")}) VALUES `;
    this.one = connection.prepare(insert + row);
    this.many = connection.prepare(insert + Array.from({ length: GROUP }, () => row).join(", "));
  }

  /** @param row a value for each column. */
  add(...row: Value[]): void {
    this.values.push(...row);
    if (this.values.length < GROUP * this.width) return;
    // As one list: libsql takes it as it is, and would copy single parameters into one.
    this.many.run(this.values);
    this.values = [];
  }

  /** Writes the remaining rows; called at the end of each transaction. */
  flush(): void {
    for (let from = 0; from < this.values.length; from += this.width) {
      this.one.run(this.values.slice(from, from + this.width));
    }
    this.values = [];
  }

  /** Drops unwritten rows, after a transaction that was rolled back. */
  forget(): void {
    this.values = [];
  }
}
