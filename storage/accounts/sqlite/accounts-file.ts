import { DataRefused } from "../../errors";
import type { Secrets } from "../../secrets";
import { type Connection, openConnection } from "../../sqlite/connection";
import { migrate } from "../../sqlite/migrate";
import { queryBuilder } from "../../sqlite/query-builder";
import { SQLITE_DIALECT } from "../../sqlite/sqlite-dialect";
import { accountChanges, accountQueries } from "../sql/accounts";
import { hasMasterKey } from "../sql/has-master-key";
import { checkRotation } from "../sql/rotation-mark";
import type { Tables } from "../sql/tables";
import { chargeWrites } from "./charges.repository";
import { ACCOUNTS_MIGRATIONS } from "./migrations";
import { outboxWrites } from "./outbox.repository";

/** Opens the main file for writing and brings it to the newest schema. There may be one writer only. */
export const openAccountsFile = async (path: string, secrets: Secrets): Promise<Connection> => {
  const connection = openConnection(path, false);
  await migrate(connection, ACCOUNTS_MIGRATIONS);
  await checkRotation(queryBuilder(connection));
  if (!(await hasMasterKey(queryBuilder(connection), secrets)))
    throw new DataRefused({ code: "other-master-key" });
  return connection;
};

/** Queries over a connection that only reads. */
export const accountReads = (connection: Connection, secrets: Secrets) =>
  accountQueries(queryBuilder<Tables>(connection), secrets, SQLITE_DIALECT);

/** Changes over the only connection that writes, and the operations of the journal and the outbox. */
export const accountWrites = (connection: Connection, secrets: Secrets) => ({
  ...accountChanges(queryBuilder<Tables>(connection), secrets, SQLITE_DIALECT),
  charges: chargeWrites(connection),
  outbox: outboxWrites(connection),
});
