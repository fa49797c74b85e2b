import { ACCOUNTS_MIGRATIONS } from "./accounts/sqlite/migrations";
import type { DataFault } from "./errors";
import { logFilePath } from "./log/sqlite/log-file";
import { LOG_MIGRATIONS } from "./log/sqlite/migrations";
import type { Migrations } from "./sql/migrations";
import { openConnection } from "./sqlite/connection";
import { versionFault } from "./sqlite/migrate";

const fileVersionFault = (path: string, migrations: Migrations): DataFault | undefined => {
  const connection = openConnection(path, true);
  try {
    return versionFault(connection, migrations);
  } finally {
    connection.close();
  }
};

/**
 * Compares the version of a data folder with this one, by the rules of the start.
 * @param path the main file; the log file is beside it.
 * @returns the reason why this version cannot work with the data as it is, or undefined.
 */
export const folderVersionFault = (path: string): DataFault | undefined =>
  fileVersionFault(path, ACCOUNTS_MIGRATIONS) ?? fileVersionFault(logFilePath(path), LOG_MIGRATIONS);

/** Whether the accounts and the log of a data folder have exactly the migrations that this version knows. */
export const isCurrentFolder = (path: string): boolean => folderVersionFault(path) === undefined;
