import { dirname, join } from "node:path";
import Database from "libsql";
import { DataRefused } from "../errors";

/** How long a process that is about to end may keep its folder. */
const PATIENCE_MS = 3000;

/**
 * Locks the data folder for this process. Two processes that charge from the same files would each undo the other's
 * state in memory and in the journal. SQLite's own lock on a separate file does it: it ends with the process, however
 * that ends.
 * @param path the main file. @param patienceMs maximum wait, which blocks this thread.
 * @returns unlocks the folder.
 * @throws DataRefused when another process has it.
 */
export const lockFolder = (path: string, patienceMs = PATIENCE_MS): (() => void) => {
  const folder = dirname(path);
  const connection = new Database(join(folder, "tollgate.lock"));
  connection.exec(`PRAGMA busy_timeout = ${patienceMs}`);
  try {
    // Not WAL, whose locks need files beside it that a crash leaves behind.
    connection.exec("PRAGMA journal_mode = MEMORY");
    connection.exec("BEGIN EXCLUSIVE");
  } catch {
    connection.close();
    throw new DataRefused({ code: "folder-in-use", folder });
  }
  return () => connection.close();
};
