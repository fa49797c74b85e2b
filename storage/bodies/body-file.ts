import { dirname, join } from "node:path";
import { type Connection, openConnection } from "../dialects/sqlite";
import { BODY_FILE_MIGRATIONS, migrate } from "../migrations/migrate";

/** Where the file of stored bodies lies: beside the main file. */
export const bodyFilePath = (mainPath: string): string => join(dirname(mainPath), "bodies.sqlite");

/** Opens the file of stored bodies and brings it to the newest schema. One connection reads and writes it. */
export const openBodyFile = (path: string): Connection => {
  const connection = openConnection(path, false);
  const { auto_vacuum: mode } = connection.prepare("PRAGMA auto_vacuum").get() as { auto_vacuum: number };
  if (mode === 0) {
    // What is deleted makes the file smaller; a new file learns that from VACUUM only.
    connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("VACUUM");
  }
  migrate(connection, BODY_FILE_MIGRATIONS);
  return connection;
};
