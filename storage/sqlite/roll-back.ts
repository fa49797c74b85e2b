/**
 * Takes back what a transaction did. After a full disk or a failure of the disk SQLite has done so itself already, and
 * would say only that there is nothing to take back (https://www.sqlite.org/lang_transaction.html): that must not stand
 * in the place of what happened.
 */
export const rollBack = (connection: { exec(sql: string): void }): void => {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // The caller throws what led here.
  }
};
