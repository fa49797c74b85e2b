import type { InSnapshot, SqlRunner } from "../sql/sql-runner";
import type { Connection } from "./connection";

/** Asks a connection: statements are answered at once, and promised for the sake of engines where they are not. */
export const sqliteRunner = (connection: Connection): SqlRunner => ({
  all: async <Row>(sql: string, ...parameters: readonly unknown[]) =>
    connection.prepare(sql).all(...parameters) as Row[],
  isOneOf: (column, values) => ({
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(values)],
  }),
  rowsOfEach: (values, table, where) => ({
    sql: `SELECT ${table}.* FROM (SELECT value FROM json_each(?)) AS each CROSS JOIN ${table} WHERE ${where.sql}`,
    parameters: [JSON.stringify(values), ...where.parameters],
  }),
});

/** Snapshots of a connection: one after another, because a connection has one transaction at a time. */
export const sqliteSnapshots = (connection: Connection): InSnapshot => {
  const runner = sqliteRunner(connection);
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const next = last.then(async () => {
      connection.exec("BEGIN");
      try {
        return await step(runner);
      } finally {
        connection.exec("COMMIT");
      }
    });
    last = next.catch(() => undefined);
    return next;
  };
};
