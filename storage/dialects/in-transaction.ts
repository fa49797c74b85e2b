import type { Connection } from "./sqlite";

/**
 * Takes back what a transaction did. After a full disk or a failure of the disk SQLite has done so itself already, and
 * would say only that there is nothing to take back (https://www.sqlite.org/lang_transaction.html): that must not stand
 * in the place of what happened.
 */
export const rollBack = (connection: Pick<Connection, "exec">): void => {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // The caller throws what led here.
  }
};

/** Runs a step that writes, all of it or nothing. */
export const inTransaction = <T>(connection: Connection, step: () => T): T => {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = step();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};

/** Runs several queries that see the same state of the file, whatever is written meanwhile. */
export const inSnapshot = <T>(connection: Connection, step: () => T): T => {
  connection.exec("BEGIN");
  try {
    return step();
  } finally {
    connection.exec("COMMIT");
  }
};
