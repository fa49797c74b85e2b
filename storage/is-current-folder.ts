import { ACCOUNTS_MIGRATIONS } from "./accounts/sqlite/migrations/migrations";
import { logFilePath } from "./log/sqlite/log-file";
import { LOG_MIGRATIONS } from "./log/sqlite/migrations/migrations";
import { openConnection } from "./sqlite/connection";
import { appliedMigrations, type Migrations } from "./sqlite/migrate";

const isCurrent = (path: string, migrations: Migrations): boolean => {
  const connection = openConnection(path, true);
  try {
    return appliedMigrations(connection).join() === Object.keys(migrations).join();
  } finally {
    connection.close();
  }
};

/**
 * Whether the accounts and the log of a data folder have exactly the migrations that this version knows.
 * @param path the main file; the log file is beside it.
 */
export const isCurrentFolder = (path: string): boolean =>
  isCurrent(path, ACCOUNTS_MIGRATIONS) && isCurrent(logFilePath(path), LOG_MIGRATIONS);
