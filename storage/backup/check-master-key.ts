import { hasMasterKey } from "../accounts/sql/has-master-key";
import type { Tables } from "../accounts/sql/tables";
import { ACCOUNTS_MIGRATIONS } from "../accounts/sqlite/migrations";
import { DataRefused } from "../errors";
import { createSecrets } from "../secrets";
import { openConnection } from "../sqlite/connection";
import { versionFault } from "../sqlite/migrate";
import { queryBuilder } from "../sqlite/query-builder";

/**
 * Checks that a key opens the secrets of a main file, because a backup with another one is useless.
 * @param mainPath a file of an older version is not checked: a start brings it to the newest schema first.
 * @throws DataRefused "other-master-key".
 */
export const checkMasterKey = async (mainPath: string, masterKey: Uint8Array): Promise<void> => {
  const connection = openConnection(mainPath, true);
  try {
    if (versionFault(connection, ACCOUNTS_MIGRATIONS)) return;
    if (!(await hasMasterKey(queryBuilder<Tables>(connection), createSecrets(masterKey))))
      throw new DataRefused({ code: "other-master-key" });
  } finally {
    connection.close();
  }
};
