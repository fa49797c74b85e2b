import { type Kysely, sql } from "kysely";
import { DatabaseRefused } from "../../errors";
import { addUses, openPool, type PoolUse } from "../../postgres/connection-pool";
import { explainRights } from "../../postgres/explain-failure";
import { migrateDatabase } from "../../postgres/migrate";
import { POSTGRES_DIALECT } from "../../postgres/postgres-dialect";
import { queryBuilder } from "../../postgres/query-builder";
import { repeating, repeatTransaction } from "../../postgres/repeat-transaction";
import type { Secrets } from "../../secrets";
import type { AccountChanges, AccountQueries } from "../ports";
import { accountChanges, accountQueries } from "../sql/accounts";
import { hasMasterKey } from "../sql/has-master-key";
import { checkRotation } from "../sql/rotation-mark";
import type { Tables } from "../sql/tables";
import { chargeWrites } from "./charges.repository";
import { forgetAppliedChanges, forgetSent } from "./forget-sent";
import { ACCOUNTS_MIGRATIONS } from "./migrations";

/** Connections for queries that the console sends concurrently. */
const READERS = 4;
/** How long a statement may take: nothing of the accounts reads more than a page. */
const STATEMENT_MS = 30_000;
/**
 * How long a change waits for a lock: all other changes of this node, and the news of other nodes, wait behind it. It is longer
 * than a batch of charges waits (open-bookings.ts), which keeps other rows locked meanwhile.
 */
const LOCK_MS = 750;

/** The accounts of a database. */
export interface OpenAccounts {
  queries: AccountQueries;
  /**
   * The same queries, answered in the order of the changes and after them: data that they put in memory is never older.
   */
  queriesInOrder: AccountQueries;
  changes: AccountChanges;
  charges: ReturnType<typeof chargeWrites>;
  /** Deletes records of calls that no node repeats any more. */
  forgetSent(): Promise<void>;
  /** Deletes changes that all nodes have taken over. */
  forgetAppliedChanges(): Promise<void>;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
  close(): Promise<void>;
}

/** A text that is sealed from the first start on: two nodes with different keys notice before anything else is sealed. */
const keepProbe = async (db: Kysely<Tables>, secrets: Secrets): Promise<void> => {
  await sql`INSERT INTO master_key_probe (id, sealed) VALUES (1, ${secrets.seal("tollgate")})
    ON CONFLICT DO NOTHING`.execute(db);
};

/**
 * Opens the accounts of a database, brings it to the newest schema, and checks that it can be worked with.
 * @param reportError called when that has to wait.
 * @throws DatabaseRefused that says why not.
 */
export const openAccounts = async (
  address: string,
  secrets: Secrets,
  reportError?: (error: Error) => void,
): Promise<OpenAccounts> => {
  const { database } = await migrateDatabase(address, "accounts", ACCOUNTS_MIGRATIONS, reportError);
  // One connection: changes and charges are done in the order of the calls.
  const writers = openPool(address, 1, STATEMENT_MS, LOCK_MS);
  const readers = openPool(address, READERS, STATEMENT_MS);
  const close = async (): Promise<void> => {
    await readers.end();
    await writers.end();
  };
  try {
    const db = queryBuilder<Tables>(writers);
    const readDb = queryBuilder<Tables>(readers);
    await checkRotation(db);
    await keepProbe(db, secrets);
    if (!(await hasMasterKey(db, secrets, ["SELECT sealed FROM master_key_probe"])))
      throw new DatabaseRefused({ code: "database-other-master-key", database });
    return {
      queries: accountQueries(readDb, secrets, POSTGRES_DIALECT),
      queriesInOrder: accountQueries(db, secrets, POSTGRES_DIALECT),
      changes: repeating(accountChanges(db, secrets, POSTGRES_DIALECT)),
      charges: chargeWrites(db),
      forgetSent: () => repeatTransaction(() => forgetSent(readDb)),
      forgetAppliedChanges: () => repeatTransaction(() => forgetAppliedChanges(readDb)),
      connections: () => addUses([writers.use, readers.use]),
      close,
    };
  } catch (error) {
    await close();
    throw explainRights(error, writers.destination);
  }
};
