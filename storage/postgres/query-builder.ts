import { Kysely, PostgresAdapter, PostgresDialect } from "kysely";
import type { ConnectionPool } from "./connection-pool";

/** Leaves the lock on migrations to `migrate.ts`: Kysely's belongs to a session, which a pooler hands to others. */
class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new AdapterWithoutLock();
  }
}

/** The query builder over a pool. */
export const queryBuilder = <Tables>(pool: ConnectionPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new Dialect({ pool }) });
