import { CompiledQuery, type Kysely } from "kysely";
import type { InSnapshot, SqlRunner } from "../sql/sql-runner";

/** A statement with its parameters numbered, as PostgreSQL has them. */
const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll("?", () => {
    count += 1;
    return `$${count}`;
  });
};

/** Asks statements that are written by hand, on a pool or within a transaction. */
export const postgresRunner = (db: Kysely<unknown>): SqlRunner => ({
  async all<Row>(sql: string, ...parameters: readonly unknown[]) {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(numbered(sql), [...parameters]));
    return rows;
  },
  isOneOf: (column, values) => ({ sql: `${column} = ANY(?::bigint[])`, parameters: [values] }),
  tableOf: (values) => ({ sql: "(SELECT unnest(?::bigint[]) AS value)", parameters: [values] }),
});

/** Snapshots of a database, as many at once as its pool has connections. */
export const postgresSnapshots =
  (db: Kysely<unknown>): InSnapshot =>
  (step) =>
    db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute((transaction) => step(postgresRunner(transaction)));
