import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { DatabaseRefused } from "../errors";
import { type Destination, explainFailure } from "./explain-failure";
import { READ_TYPES } from "./read-types";
import { storableText } from "./storable-text";

/** How long to wait for a connection before the server counts as unreachable. */
const CONNECT_MS = 5000;
/** How much longer than the server this process waits for an answer: the server says first that it took too long. */
const GRACE_MS = 5000;
/** Idle time after which TCP checks that the other side still exists. */
const KEEP_ALIVE_MS = 10_000;
/**
 * How long a transaction may be open without a statement: a process that stands still in the midst of one would keep its locks,
 * and other nodes would wait for them.
 */
const IDLE_IN_TRANSACTION_MS = 5000;

/** How much of a pool, or of several, is in use. */
export interface PoolUse {
  /** How many connections there are now. */
  readonly open: number;
  /** How many wait for one. */
  readonly waiting: number;
}

export const addUses = (uses: readonly PoolUse[]): PoolUse => ({
  open: uses.reduce((sum, { open }) => sum + open, 0),
  waiting: uses.reduce((sum, { waiting }) => sum + waiting, 0),
});

/** Connections to one database, each used by one transaction or query at a time; the query builder stands on it. */
export interface ConnectionPool extends PostgresPool {
  readonly destination: Destination;
  readonly use: PoolUse;
  /** Closes the connections after running operations end. */
  end(): Promise<void>;
}

/**
 * Asks a pool for an answer, unless others wait for its connections: then it has some.
 * @throws DatabaseRefused where it gets none.
 */
export const reachPool = async (pool: ConnectionPool): Promise<void> => {
  if (pool.use.waiting > 0) return;
  const client = await pool.connect();
  try {
    await client.query("SELECT 1", []);
  } finally {
    client.release();
  }
};

const ADDRESS = /^postgres(?:ql)?:\/\//;
/** A slash in a user's name or a password: the rest would be parsed as the database's name, which messages contain. */
const MISREAD = /^[^:]+:\/\/[^/?#]*\/[^?#]*@/;

/** @throws DatabaseRefused for an invalid address of a database. */
export const readDestination = (address: string): Destination => {
  try {
    // The driver takes anything for an address, and looks for the rest on this machine.
    if (!ADDRESS.test(address) || MISREAD.test(address))
      throw new Error("another scheme, or no such address");
    // A client that never connects reads an address as those do that will.
    const { host, user, database } = new pg.Client({ connectionString: address });
    return { host, user: user ?? "", database: database ?? "" };
  } catch {
    throw new DatabaseRefused({ code: "database-address-invalid" });
  }
};

const storable = (value: unknown): unknown => {
  if (typeof value === "string") return storableText(value);
  return Array.isArray(value) ? value.map(storable) : value;
};

/**
 * Errors after which a connection is of no use: the server goes down, or an administrator cut it (class 57P), or it waited too long;
 * or it may only be read any more (25006), because another server took its place.
 */
const ENDING = /^(57P|08|25P03|25006)/;

const BEGINNING = /^(?:begin|start transaction)\b/i;
const END = /^(?:commit|rollback)$/i;

/**
 * A client as the query builder uses it: never with a cursor, which its type names as well.
 * @param limits statements that follow the beginning of each transaction. @param isAlways whether a statement outside of a
 * transaction has one of its own, for their sake.
 */
const clientOf = (client: pg.PoolClient, limits: string, isAlways: boolean): PostgresPoolClient => {
  let isBroken = false;
  let isInTransaction = false;
  const ask = async (text: string, values: unknown[] = []) => {
    try {
      return await client.query(text, values);
    } catch (error) {
      // The server may have begun the transaction before it refused the limits: every later statement would fail.
      isBroken ||=
        BEGINNING.test(text) || !(error instanceof pg.DatabaseError) || ENDING.test(error.code ?? "");
      throw error;
    }
  };
  const askAlone = async (text: string, values: unknown[]) => {
    await ask(`BEGIN; ${limits}`);
    try {
      const result = await ask(text, values);
      await ask("COMMIT");
      return result;
    } catch (error) {
      if (!isBroken) await ask("ROLLBACK");
      throw error;
    }
  };
  return {
    async query(text: string, parameters: readonly unknown[]) {
      if (BEGINNING.test(text)) {
        isInTransaction = true;
        return ask(`${text}; ${limits}`);
      }
      if (END.test(text)) isInTransaction = false;
      const values = parameters.map(storable);
      return isInTransaction || END.test(text) || !isAlways ? ask(text, values) : askAlone(text, values);
    },
    // One that is broken is not given out again.
    release: () => client.release(isBroken),
  } as unknown as PostgresPoolClient;
};

/**
 * Limits of a transaction. They are set with it and end with it: a pooler before PostgreSQL refuses, ignores or passes
 * on to others the settings of a connection or a session. 0 means no limit, whatever the server's or the user's own
 * settings.
 */
const limitsOf = (statementMs: number | undefined, lockMs = 0): string => {
  const idleMs = statementMs === undefined ? 0 : IDLE_IN_TRANSACTION_MS;
  return `SET LOCAL statement_timeout = ${statementMs ?? 0}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs};
    SET LOCAL lock_timeout = ${lockMs}`;
};

/** How each connection is made, also one that is in no pool. */
export const connectionSettings = (address: string) => ({
  connectionString: address,
  types: READ_TYPES,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  application_name: "tollgate",
});

/**
 * Creates a pool, which connects with the first query.
 * @param address `postgres://user:password@host/database`, with the driver's parameters behind it.
 * @param most maximum number of connections; further queries wait, in the order of coming.
 * @param statementMs timeout of one statement; undefined when unknown, as for a migration.
 * @param lockMs timeout of waiting for another transaction's lock; by default unlimited.
 * @throws DatabaseRefused for an invalid address.
 */
export const openPool = (
  address: string,
  most: number,
  statementMs?: number,
  lockMs?: number,
): ConnectionPool => {
  const destination = readDestination(address);
  const limits = limitsOf(statementMs, lockMs);
  const pool = new pg.Pool({
    ...connectionSettings(address),
    max: most,
    // Where nothing comes back at all: such a connection is not used again.
    ...(statementMs === undefined ? {} : { query_timeout: statementMs + GRACE_MS }),
    // Nothing of a pool keeps a process from ending.
    allowExitOnIdle: true,
  });
  // A connection that breaks while it is idle, and one that breaks between two queries of a transaction: the next query
  // is told, and an error without a listener would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    destination,
    get use() {
      return { open: pool.totalCount, waiting: pool.waitingCount };
    },
    async connect() {
      try {
        return clientOf(await pool.connect(), limits, statementMs !== undefined);
      } catch (error) {
        throw explainFailure(error, destination);
      }
    },
    end: () => pool.end(),
  };
};
