import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { type DataFault, DataRefused } from "../errors";
import type { ColumnTypes } from "../sql/column";
import { compareVersion, listMigrations, type Migrations, orderMigrations } from "../sql/migrations";
import { commonStatements, type SchemaPart } from "../sql/schema-part";
import type { Connection } from "./connection";
import { queryBuilder } from "./query-builder";

const hasTable = (connection: Connection, name: string): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** The names of the migrations that a file has; none for a file that no version has opened yet. */
export const appliedMigrations = (connection: Connection): string[] => {
  // The table that Kysely's Migrator keeps (https://kysely.dev/docs/migrations).
  if (!hasTable(connection, "kysely_migration")) return [];
  const rows = connection.prepare("SELECT name FROM kysely_migration ORDER BY name").all();
  return (rows as { name: string }[]).map(({ name }) => name);
};

/** The list of migrations that versions before Kysely's Migrator kept. */
const FORMER_LIST = "migrations";

/** @returns why this version cannot work with the file as it is; "schema-other" where a start brings it to the newest schema. */
export const versionFault = (connection: Connection, migrations: Migrations): DataFault | undefined => {
  const applied = appliedMigrations(connection);
  const { unknown, isTooOld, isCurrent } = compareVersion(applied, migrations);
  if (unknown !== undefined) return { code: "schema-newer", migration: unknown };
  if (isCurrent) return undefined;
  const isFormer = applied.length === 0 && hasTable(connection, FORMER_LIST);
  return { code: isTooOld || isFormer ? "schema-too-old" : "schema-other" };
};

/**
 * Brings a file to the newest schema, in one transaction.
 * @throws DataRefused for a file of a newer version of the product than this one, or of one too old to be upgraded.
 */
export const migrate = async (connection: Connection, migrations: Migrations): Promise<void> => {
  const fault = versionFault(connection, migrations);
  if (fault === undefined) return;
  if (fault.code !== "schema-other") throw new DataRefused(fault);
  const listed = listMigrations(appliedMigrations(connection), migrations);
  const migrator = new Migrator({
    db: queryBuilder(connection),
    provider: { getMigrations: async () => listed },
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

const COLUMN_TYPES: ColumnTypes = {
  AUTO_ID: "INTEGER PRIMARY KEY AUTOINCREMENT",
  ROW_ID: "INTEGER PRIMARY KEY",
  INTEGER: "INTEGER",
  SMALLINT: "INTEGER",
  QUOTA: "INTEGER",
  REAL: "REAL",
  SORTED_TEXT: "TEXT",
  BYTES: "BLOB",
};

/** Names of constraints: SQLite reports a violation by its columns. */
const CONSTRAINT_NAMES = /\bCONSTRAINT \w+ /g;

const toMigration = (parts: readonly SchemaPart[]): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const part of parts) {
      await runStatements(db, commonStatements(part, COLUMN_TYPES).replaceAll(CONSTRAINT_NAMES, ""));
      await runStatements(db, part.sqlite ?? "");
    }
  },
});

/** The list of a store's migrations, each of which makes its parts of the schema. */
export const toMigrations = (parts: Readonly<Record<string, readonly SchemaPart[]>>): Migrations =>
  orderMigrations(parts, toMigration);
