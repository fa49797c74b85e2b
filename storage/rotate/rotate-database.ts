import { ACCOUNTS_MIGRATIONS } from "../accounts/postgres/migrations";
import { openLeases } from "../accounts/postgres/open-leases";
import type { Tables } from "../accounts/sql/tables";
import { BODIES_MIGRATIONS } from "../bodies/postgres/migrations";
import { openPool } from "../postgres/connection-pool";
import { migrateDatabase } from "../postgres/migrate";
import { queryBuilder } from "../postgres/query-builder";
import { aloneWithDatabase } from "../promote/alone-with-database";
import { checkDatabaseMark } from "../promote/database-marks";
import { namedAddress } from "../promote/named-address";
import { refuseNodes } from "../promote/refuse-nodes";
import type { Resealed } from "./reseal";
import { beginRotation, finishRotation, type RotationTools } from "./rotation";

const PROBES = ["SELECT sealed FROM master_key_probe"];

/**
 * Seals everything in a database again, while no node works with it.
 * @returns undefined where it was done before. @throws DatabaseRefused, DataRefused that say why not.
 */
export const rotateDatabase = (given: string, tools: RotationTools): Promise<Resealed | undefined> =>
  // Two at once would each make a new key, and the file that is kept need not be the one that all is sealed under.
  aloneWithDatabase(given, () => rotateAlone(given, tools));

const rotateAlone = async (given: string, tools: RotationTools): Promise<Resealed | undefined> => {
  const address = namedAddress(given);
  const { database } = await migrateDatabase(address, "accounts", ACCOUNTS_MIGRATIONS);
  await migrateDatabase(address, "bodies", BODIES_MIGRATIONS);
  await checkDatabaseMark(address);
  // Releases the leases of nodes that died, and deletes their rows.
  const { leases, close } = openLeases(address, 0, async () => {});
  await leases.expire().finally(close);
  const pool = openPool(address, 1);
  try {
    const db = queryBuilder<Tables>(pool);
    const stores = { accounts: db, bodies: queryBuilder<unknown>(pool), probes: PROBES };
    const keys = tools.openKeys();
    const isBegun = await db.transaction().execute(async (transaction) => {
      // Who joins now waits, and does not find its key any more.
      await refuseNodes(transaction, database);
      return beginRotation({ ...stores, accounts: transaction }, keys, tools);
    });
    return isBegun ? await finishRotation(stores, keys, tools) : undefined;
  } finally {
    await pool.end();
  }
};
