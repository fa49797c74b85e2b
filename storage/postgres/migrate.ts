import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { DatabaseRefused } from "../errors";
import type { ColumnTypes } from "../sql/column";
import { compareVersion, listMigrations, type Migrations, orderMigrations } from "../sql/migrations";
import { commonStatements, type SchemaPart } from "../sql/schema-part";
import { openPool } from "./connection-pool";
import { type Destination, explainRights } from "./explain-failure";
import { queryBuilder } from "./query-builder";
import { repeatTransaction } from "./repeat-transaction";

/** The lock on migrations. Older versions take it as well, under the same number (Kysely's). */
const LOCK = "3853314791062309107";

/** A transaction holds the lock, beside the one that migrates. */
const CONNECTIONS = 2;

/**
 * How long a migration waits for a lock. Everything that running nodes do with a table waits behind a waiting change of it, so
 * the migration gives way and tries again, for minutes: a backup reads that long.
 */
const LOCK_MS = 1000;
const PAUSE_MS = 3000;
const PATIENCE_MS = 600_000;

/** The oldest version of PostgreSQL that is worked with. */
const OLDEST = 14;

/** @throws DatabaseRefused for a server that is too old or takes no changes, or a database that cannot hold every character. */
export const checkServer = async (
  db: Kysely<unknown>,
  { host, database }: Destination,
  oldest = OLDEST,
): Promise<void> => {
  const { rows } = await sql<{ number: number; version: string; encoding: string; isFollowing: boolean }>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isFollowing"`.execute(db);
  const [server] = rows;
  if (!server || server.number < oldest * 10_000)
    throw new DatabaseRefused({
      code: "database-too-old",
      found: server?.version ?? "",
      needed: String(oldest),
    });
  if (server.encoding !== "UTF8")
    throw new DatabaseRefused({ code: "database-not-utf8", database, found: server.encoding });
  if (server.isFollowing) throw new DatabaseRefused({ code: "database-read-only", host, database });
};

const migrationTableOf = (store: string): string => `${store}_migrations`;

/** The names of the migrations of a store that a database has; none where no node has been before. */
const appliedMigrations = async (db: Kysely<unknown>, store: string): Promise<string[]> => {
  const table = migrationTableOf(store);
  const known = await sql<{ name: string | null }>`SELECT to_regclass(${table})::text AS name`.execute(db);
  if (known.rows[0]?.name == null) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(table)} ORDER BY name`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

/** Whether a database has exactly the migrations of a store that this version knows. */
export const isCurrent = async (
  db: Kysely<unknown>,
  store: string,
  migrations: Migrations,
): Promise<boolean> => compareVersion(await appliedMigrations(db, store), migrations).isCurrent;

const bringToNewest = async (
  db: Kysely<unknown>,
  store: string,
  database: string,
  migrations: Migrations,
): Promise<void> => {
  const applied = await appliedMigrations(db, store);
  const { unknown, isTooOld } = compareVersion(applied, migrations);
  if (unknown !== undefined)
    throw new DatabaseRefused({ code: "database-schema-newer", database, migration: unknown });
  if (isTooOld) throw new DatabaseRefused({ code: "database-schema-too-old", database });
  const migrationTableName = migrationTableOf(store);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => listMigrations(applied, migrations) },
    migrationTableName,
    migrationLockTableName: `${migrationTableName}_lock`,
  });
  await db.transaction().execute(async (transaction) => {
    // Another node's migration takes as long as it takes.
    await sql`SET LOCAL lock_timeout = 0`.execute(transaction);
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK)}::bigint)`.execute(transaction);
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  });
};

/**
 * Brings one store of a database to the newest schema, in one transaction. Any number of nodes may do so at once: the first
 * does it, behind a lock, and the others find it done. It is done again where it and a transaction of a running node waited for
 * each other, as tables are locked in another order than rows, and where another client kept a table locked.
 * @param db with two connections. @param store its name, before which the list of its migrations stands.
 * @param reportError called once when a table is locked. @param patienceMs how long it is tried then.
 * @throws DatabaseRefused when the server is too old, or the schema is that of a newer version of the product, or too
 * old to be upgraded, or a table stays locked.
 */
export const migrate = async (
  db: Kysely<unknown>,
  destination: Destination,
  store: string,
  migrations: Migrations,
  reportError: (error: Error) => void = () => {},
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  await checkServer(db, destination);
  const { database } = destination;
  const startedMs = performance.now();
  for (let isReported = false; ; isReported = true) {
    try {
      return await repeatTransaction(() => bringToNewest(db, store, database, migrations));
    } catch (error) {
      if (!(error instanceof DatabaseRefused && error.fault.code === "database-locked"))
        throw explainRights(error, destination);
      if (performance.now() - startedMs >= patienceMs)
        throw new DatabaseRefused({ code: "database-upgrade-locked", database }, { cause: error });
      if (!isReported) reportError(new DatabaseRefused({ code: "database-upgrade-waits", database }));
      await wait(PAUSE_MS);
    }
  }
};

/**
 * The same, on connections of its own, which end with it: a migration takes as long as it takes, and so does the wait for
 * another node's.
 * @param address of the database. @param reportError and the next as `migrate` has them.
 */
export const migrateDatabase = async (
  address: string,
  store: string,
  migrations: Migrations,
  reportError?: (error: Error) => void,
  patienceMs?: number,
): Promise<Destination> => {
  const pool = openPool(address, CONNECTIONS, undefined, LOCK_MS);
  try {
    await migrate(queryBuilder(pool), pool.destination, store, migrations, reportError, patienceMs);
    return pool.destination;
  } finally {
    await pool.end();
  }
};

/**
 * Runs statements in the transaction of a migration.
 * @param text any number of statements.
 */
export const runStatements = async (db: Kysely<unknown>, text: string): Promise<void> => {
  await sql.raw(text).execute(db);
};

const COLUMN_TYPES: ColumnTypes = {
  AUTO_ID: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
  ROW_ID: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
  INTEGER: "BIGINT",
  SMALLINT: "SMALLINT",
  QUOTA: "quota",
  REAL: "DOUBLE PRECISION",
  SORTED_TEXT: 'TEXT COLLATE "C"',
  BYTES: "BYTEA",
};

const toMigration = (parts: readonly SchemaPart[]): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const part of parts) {
      const common = commonStatements(part, COLUMN_TYPES).replaceAll(" WITHOUT ROWID", "");
      await runStatements(db, common + (part.postgres ?? ""));
    }
  },
});

/** The list of a store's migrations, each of which makes its parts of the schema. */
export const toMigrations = (parts: Readonly<Record<string, readonly SchemaPart[]>>): Migrations =>
  orderMigrations(parts, toMigration);
