import { dirname, join } from "node:path";
import { type Connection, openConnection } from "../dialects/sqlite";
import { LOG_FILE_MIGRATIONS, migrate } from "../migrations/migrate";

/** Where the log file of a main file lies: beside it. */
export const logFilePath = (mainPath: string): string => join(dirname(mainPath), "logs.sqlite");

/** Opens the log file for writing and brings it to the newest schema. There may be one writer only. */
export const openLogFile = (path: string): Connection => {
  const connection = openConnection(path, false);
  // What was taken from the outbox is deleted there: it must not be lost here by a power cut.
  connection.exec("PRAGMA synchronous = FULL");
  migrate(connection, LOG_FILE_MIGRATIONS);
  return connection;
};
