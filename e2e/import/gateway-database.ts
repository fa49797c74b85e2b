import { rmSync } from "node:fs";
import Database from "libsql";
import pg from "pg";
import { createTables, insertRow, type Series, type SqlEngine } from "./gateway-schemas";
import { type OddRows, oddRows } from "./odd-rows";

/** Runs statements on a database that is new. */
export type RunStatements = (statements: readonly string[]) => Promise<void>;

const fill = (series: Series, engine: SqlEngine, rows: OddRows): string[] => [
  ...createTables(series, engine),
  ...Object.entries(rows).flatMap(([table, each]) => each.map((row) => insertRow(engine, table, row))),
];

/** Makes the file of a program, with odd rows. @param now unix seconds. */
export const makeSqliteFile = (path: string, series: Series, now: number): void => {
  rmSync(path, { force: true });
  const file = new Database(path);
  file.exec(["BEGIN", ...fill(series, "sqlite", oddRows(series, "sqlite", now)), "COMMIT"].join(";\n"));
  file.close();
};

/** Makes the tables of a program in a database of PostgreSQL, with odd rows. @param now unix seconds. */
export const fillPostgres = async (address: string, series: Series, now: number): Promise<void> => {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(fill(series, "postgres", oddRows(series, "postgres", now)).join(";\n"));
  } finally {
    await client.end();
  }
};

/** The same in a database of MySQL. */
export const fillMysql = async (run: RunStatements, series: Series, now: number): Promise<void> =>
  run(fill(series, "mysql", oddRows(series, "mysql", now)));
