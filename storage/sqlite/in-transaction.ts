import type { Connection } from "./connection";
import { rollBack } from "./roll-back";

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
