import { dirname, join } from "node:path";
import { type Connection, openConnection } from "../../sqlite/connection";
import { migrate } from "../../sqlite/migrate";
import { BODIES_MIGRATIONS } from "./migrations";

/** Where the file of stored bodies lies: beside the main file. */
export const bodyFilePath = (mainPath: string): string => join(dirname(mainPath), "bodies.sqlite");

/** Opens the file of stored bodies and brings it to the newest schema. One connection reads and writes it. */
export const openBodyFile = async (path: string): Promise<Connection> => {
  const connection = openConnection(path, false);
  const { auto_vacuum: mode } = connection.prepare("PRAGMA auto_vacuum").get() as { auto_vacuum: number };
  if (mode === 0) {
    // Deletions shrink the file; a new file adopts this mode only with VACUUM.
    connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("VACUUM");
  }
  await migrate(connection, BODIES_MIGRATIONS);
  return connection;
};
