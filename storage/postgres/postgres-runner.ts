import { CompiledQuery, type Kysely, sql } from "kysely";
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
  // Without OFFSET 0 it would be planned as a join like any other, which may read all of the table.
  rowsOfEach: (values, table, where) => ({
    sql: `SELECT ${table}.* FROM (SELECT unnest(?::bigint[]) AS value) AS each
      CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${where.sql} OFFSET 0) AS ${table}`,
    parameters: [values, ...where.parameters],
  }),
});

/**
 * Lets a transaction's statements be run as they are planned, not compiled: over many parts of tables that takes longer than they
 * do (docs/performance.md). Said to the transaction, as a pooler may give the connection to others.
 */
export const withoutCompiling = async (transaction: Kysely<unknown>): Promise<void> => {
  await sql`SET LOCAL jit = off`.execute(transaction);
};

/** Snapshots of a database, as many at once as its pool has connections. */
export const postgresSnapshots =
  (db: Kysely<unknown>): InSnapshot =>
  (step) =>
    db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (transaction) => {
        await withoutCompiling(transaction);
        return step(postgresRunner(transaction));
      });
