import { TAKEN_OVER as TAKEN_OVER_ACCOUNTS } from "./accounts/sqlite/migrations/0001-initial";
import { ACCOUNTS_MIGRATIONS } from "./accounts/sqlite/migrations/migrations";
import type { DataFault } from "./errors";
import { logFilePath } from "./log/sqlite/log-file";
import { TAKEN_OVER as TAKEN_OVER_LOG } from "./log/sqlite/migrations/0001-initial";
import { LOG_MIGRATIONS } from "./log/sqlite/migrations/migrations";
import { type Connection, openConnection } from "./sqlite/connection";
import { appliedMigrations, type Migrations } from "./sqlite/migrate";

/** The names in the list that versions before Kysely's kept; undefined for a file without one. */
const oldList = (connection: Connection): string[] | undefined => {
  const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'";
  if (connection.prepare(table).get() === undefined) return undefined;
  return (connection.prepare("SELECT name FROM migrations").all() as { name: string }[]).map(
    ({ name }) => name,
  );
};

/** @param takenOver the old list of a file that a start brings to today's schema. */
const fileVersionFault = (
  path: string,
  migrations: Migrations,
  takenOver: readonly string[],
): DataFault | undefined => {
  const connection = openConnection(path, true);
  try {
    const applied = appliedMigrations(connection);
    const unknown = applied.find((name) => migrations[name] === undefined);
    if (unknown !== undefined) return { code: "schema-newer", migration: unknown };
    if (applied.join() === Object.keys(migrations).join()) return undefined;
    const old = oldList(connection);
    const isTooOld = old !== undefined && [...old].sort().join() !== [...takenOver].sort().join();
    return { code: isTooOld ? "schema-too-old" : "schema-other" };
  } finally {
    connection.close();
  }
};

/**
 * Compares the version of a data folder with this one, by the rules of the start: advice that a start refuses helps nobody.
 * @param path the main file; the log file is beside it.
 * @returns the reason why this version cannot work with the data as it is, or undefined.
 */
export const folderVersionFault = (path: string): DataFault | undefined =>
  fileVersionFault(path, ACCOUNTS_MIGRATIONS, TAKEN_OVER_ACCOUNTS) ??
  fileVersionFault(logFilePath(path), LOG_MIGRATIONS, TAKEN_OVER_LOG);

/** Whether the accounts and the log of a data folder have exactly the migrations that this version knows. */
export const isCurrentFolder = (path: string): boolean => folderVersionFault(path) === undefined;
