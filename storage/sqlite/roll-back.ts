/**
 * Rolls back a transaction. After a full disk or a failure of the disk SQLite has done so itself already, and only
 * reports that there is nothing to roll back (https://www.sqlite.org/lang_transaction.html): that must not replace the
 * original error.
 */
export const rollBack = (connection: { exec(sql: string): void }): void => {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // The caller throws the original error.
  }
};
