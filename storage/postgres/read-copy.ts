import { type Kysely, sql } from "kysely";
import { DatabaseRefused } from "../errors";
import type { InSnapshot } from "../sql/sql-runner";
import { codeOf, type Destination } from "./explain-failure";
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
 * Whether a server named as a copy may be one; false for the database itself, under whatever address. A server that
 * does not answer is reported to `reportError`, and may be one.
 * @throws DatabaseRefused when it is neither.
 */
export const isCopy = async (
  db: Kysely<unknown>,
  copy: Kysely<unknown>,
  destination: Destination,
  reportError: (error: Error) => void,
): Promise<boolean> => {
  const own = await readServer(db);
  let other: Server | undefined;
  try {
    other = await readServer(copy);
  } catch (error) {
    reportError(silenceOf(destination, error));
    return true;
  }
  const isSame = own?.cluster === other?.cluster && own?.database === other?.database;
  if (isSame && other?.isFollowing) return true;
  if (isSame && own?.started === other?.started) return false;
  const { host, database } = destination;
  throw new DatabaseRefused({ code: "database-not-a-copy", host, database });
};

/** Reports a copy that gives no answer. */
const silenceOf = ({ host }: Destination, error: unknown): DatabaseRefused => {
  const { fault } = error instanceof DatabaseRefused ? error : {};
  const reason = fault && "reason" in fault ? fault.reason : (fault?.code ?? codeOf(error) ?? String(error));
  return new DatabaseRefused({ code: "database-copy-silent", host, reason }, { cause: error });
};

/** A moment of a database, to which a copy must have come. */
interface Moment {
  position: string;
  /** Of the write-ahead log: another one since each failover. */
  timeline: number;
  cluster: string;
}

const momentOf = async (db: Kysely<unknown>): Promise<Moment> => {
  const { rows } = await sql<Moment>`
    SELECT position::text AS position, ('x' || left(pg_walfile_name(position), 8))::bit(32)::int AS timeline,
      (SELECT system_identifier::text FROM pg_control_system()) AS cluster
    FROM pg_current_wal_insert_lsn() AS position`.execute(db);
  const [moment] = rows;
  if (!moment) throw new Error("the position in the log has no row");
  return moment;
};

/**
 * Whether a copy has reached a moment on the same timeline: one that follows a server from before a failover may be
 * further on and lack later commits. Just after a failover a copy may not know its timeline yet, and is not used then.
 */
const hasCome = async (copy: Kysely<unknown>, { position, timeline, cluster }: Moment): Promise<boolean> => {
  const { rows } = await sql<{ isThere: boolean }>`
    SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= ${position}::pg_lsn
      AND (SELECT system_identifier::text FROM pg_control_system()) = ${cluster}
      AND greatest((SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
        (SELECT max(received_tli) FROM pg_stat_wal_receiver)) = ${timeline}::int AS "isThere"`.execute(copy);
  return rows[0]?.isThere === true;
};

/**
 * Snapshots of a copy, when it has everything that was committed before the query; otherwise of the database itself,
 * also when the copy fails. The queries only read, so they may run twice.
 * @param reportError called once each time that the copy stops answering.
 */
export const snapshotsOfCopy = (
  db: Kysely<unknown>,
  copy: Kysely<unknown>,
  destination: Destination,
  reportError: (error: Error) => void,
): InSnapshot => {
  const [ofDatabase, ofCopy] = [postgresSnapshots(db), postgresSnapshots(copy)];
  let avoidedUntilMs = 0;
  let isSilent = false;

  const hasEverything = async (moment: Moment): Promise<boolean> => {
    const untilMs = performance.now() + WAIT_MS;
    do {
      const isThere = await hasCome(copy, moment);
      isSilent = false;
      if (isThere) return true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    } while (performance.now() < untilMs);
    return false;
  };

  return async (step) => {
    if (performance.now() >= avoidedUntilMs) {
      const moment = await momentOf(db);
      try {
        if (await hasEverything(moment)) return await ofCopy(step);
      } catch (error) {
        if (!isSilent) reportError(silenceOf(destination, error));
        isSilent = true;
      }
      avoidedUntilMs = performance.now() + AVOID_MS;
    }
    return ofDatabase(step);
  };
};
