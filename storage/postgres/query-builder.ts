import { Kysely, PostgresDialect } from "kysely";
import type { ConnectionPool } from "./connection-pool";

/** The query builder over a pool. */
export const queryBuilder = <Tables>(pool: ConnectionPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
