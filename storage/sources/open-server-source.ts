import type { RowsWish, SourceDatabase, SourceTableShape, SourceValue } from "./source-database";

/** A connection to a server, in the words of its engine. */
export interface ServerConnection {
  engine: SourceDatabase["engine"];
  place: string;
  /** Quotes the name of a table or a column. */
  quote(name: string): string;
  /** A column as text of at most so many characters. */
  asText(column: string, longest: number): string;
  /** The only parameter of a statement, as a whole number. */
  numberParameter: string;
  /** Two columns, the table and the column, of all tables in their order. */
  shapes: string;
  /** Rows as lists of their columns. @throws SourceRefused */
  query(sql: string, parameters: readonly string[]): Promise<(string | null)[][]>;
  close(): Promise<void>;
}

const FIRST_NUMBER = "-9223372036854775808";

/** The common part of servers: everything is read as text, in the order of ids. */
export const openServerSource = (connection: ServerConnection): SourceDatabase => {
  const { quote, query } = connection;
  return {
    engine: connection.engine,
    place: connection.place,
    async tables() {
      const shapes = new Map<string, string[]>();
      for (const [table, column] of await query(connection.shapes, [])) {
        if (table === null || table === undefined || column === null || column === undefined) continue;
        const columns = shapes.get(table) ?? [];
        columns.push(column);
        shapes.set(table, columns);
      }
      return [...shapes].map(([name, columns]): SourceTableShape => ({ name, columns }));
    },
    async counts(table, columns) {
      const filled = columns.map((column) => `count(nullif(${connection.asText(quote(column), 1)}, ''))`);
      const [row = []] = await query(`SELECT ${["count(*)", ...filled].join(", ")} FROM ${quote(table)}`, []);
      const [rows = 0, ...each] = row.map(Number);
      return { rows, filled: each };
    },
    async *rows({ table, columns, key, isNumber, rows, longest }: RowsWish) {
      const values = columns.map((column) => connection.asText(quote(column), longest));
      const order = `ORDER BY ${quote(key)} LIMIT ${rows}`;
      // The id comes once more, as it is.
      const select = `SELECT ${[connection.asText(quote(key), longest), ...values].join(", ")} FROM ${quote(table)}`;
      const behind = `${select} WHERE ${quote(key)} > ${connection.numberParameter} ${order}`;
      let [after, read] = [FIRST_NUMBER, 0];
      for (;;) {
        const found = await (isNumber
          ? query(behind, [after])
          : query(`${select} ${order} OFFSET ${read}`, []));
        if (found.length === 0) return;
        read += found.length;
        after = found.at(-1)?.[0] ?? after;
        yield found.map((row): SourceValue[] => row.slice(1));
      }
    },
    close: () => connection.close(),
  };
};
