import { type Kysely, sql } from "kysely";
import { DatabaseRefused } from "../errors";
import type { InSnapshot } from "../sql/sql-runner";
import type { Destination } from "./explain-failure";
import { postgresSnapshots } from "./postgres-runner";

/** How long a question waits for a copy that is behind, and how often it looks meanwhile. */
const WAIT_MS = 200;
const LOOK_MS = 20;
/** How long a copy that is behind, or gone, is not asked again. */
const AVOID_MS = 10_000;

interface Server {
  /** The same for a server and all that follow it. */
  cluster: string;
  database: number;
  isFollowing: boolean;
  started: string;
}

const readServer = async (db: Kysely<unknown>): Promise<Server | undefined> => {
  const { rows } =
    await sql<Server>`SELECT system_identifier::text AS cluster, pg_is_in_recovery() AS "isFollowing",
      (SELECT oid::int FROM pg_database WHERE datname = current_database()) AS database,
      pg_postmaster_start_time()::text AS started
    FROM pg_control_system()`.execute(db);
  return rows[0];
};

/**
 * Whether what is named as a copy is one; false where it is the database itself, under whatever address.
 * @throws DatabaseRefused where it is neither.
 */
export const isCopy = async (
  db: Kysely<unknown>,
  copy: Kysely<unknown>,
  { host, database }: Destination,
): Promise<boolean> => {
  const [own, other] = [await readServer(db), await readServer(copy)];
  const isSame = own?.cluster === other?.cluster && own?.database === other?.database;
  if (isSame && other?.isFollowing) return true;
  if (isSame && own?.started === other?.started) return false;
  throw new DatabaseRefused({ code: "database-not-a-copy", host, database });
};

/**
 * Snapshots of a copy, where it has everything that was committed before the question; else of the database itself, also where
 * the copy fails. What is asked only reads, so that it may be asked twice.
 */
export const snapshotsOfCopy = (db: Kysely<unknown>, copy: Kysely<unknown>): InSnapshot => {
  const [ofDatabase, ofCopy] = [postgresSnapshots(db), postgresSnapshots(copy)];
  let avoidedUntilMs = 0;

  const hasEverything = async (): Promise<boolean> => {
    const { rows } = await sql<{ position: string }>`
      SELECT pg_current_wal_insert_lsn()::text AS position`.execute(db);
    const position = rows[0]?.position;
    const untilMs = performance.now() + WAIT_MS;
    do {
      const answer = await sql<{ isThere: boolean }>`
        SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= ${position}::pg_lsn AS "isThere"`.execute(
        copy,
      );
      if (answer.rows[0]?.isThere === true) return true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    } while (performance.now() < untilMs);
    return false;
  };

  return async (step) => {
    if (performance.now() >= avoidedUntilMs) {
      try {
        if (await hasEverything()) return await ofCopy(step);
      } catch {
        // The database itself says what is wrong, if it is not the copy.
      }
      avoidedUntilMs = performance.now() + AVOID_MS;
    }
    return ofDatabase(step);
  };
};
