import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { DataRefused } from "../errors";
import type { Connection } from "./connection";
import { queryBuilder } from "./query-builder";

/** The migrations of one store, by name and in the order of their names; a released one is never edited. */
export type Migrations = Readonly<Record<string, Migration>>;

const hasTable = (connection: Connection, name: string): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** The names of the migrations that a file has; none for a file that no version has opened yet. */
export const appliedMigrations = (connection: Connection): string[] => {
  // The table that Kysely's Migrator keeps (https://kysely.dev/docs/migrations).
  if (!hasTable(connection, "kysely_migration")) return [];
  const rows = connection.prepare("SELECT name FROM kysely_migration ORDER BY name").all();
  return (rows as { name: string }[]).map(({ name }) => name);
};

/**
 * Brings a file to the newest schema, in one transaction.
 * @throws DataRefused when the file was written by a newer version of the product than this one.
 */
export const migrate = async (connection: Connection, migrations: Migrations): Promise<void> => {
  const unknown = appliedMigrations(connection).find((name) => migrations[name] === undefined);
  if (unknown !== undefined) throw new DataRefused({ code: "schema-newer", migration: unknown });
  const migrator = new Migrator({
    db: queryBuilder(connection),
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
};

/**
 * Runs statements in the transaction of a migration.
 * @param text each ends with a semicolon at the end of a line.
 */
export const runStatements = async (db: Kysely<unknown>, text: string): Promise<void> => {
  for (const statement of text.split(/;\s*$/m)) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
};
