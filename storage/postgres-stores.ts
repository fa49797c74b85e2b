import { setTimeout as wait } from "node:timers/promises";
import type { ChangeFeed, Leases, NodeQueries } from "./accounts/node-ports";
import type { AccountQueries } from "./accounts/ports";
import { announceRecall, openChangeFeed } from "./accounts/postgres/change-feed";
import { openAccounts } from "./accounts/postgres/open-accounts";
import type { OpenBookings } from "./accounts/postgres/open-bookings";
import { openLeases } from "./accounts/postgres/open-leases";
import { clearInSteps } from "./bodies/clear-in-steps";
import { openBodies } from "./bodies/postgres/open-bodies";
import { addUses, type PoolUse } from "./postgres/connection-pool";
import { openJobLocks } from "./postgres/job-locks";
import type { PostgresLog, PostgresLogSettings } from "./postgres-log";
import { checkDatabaseMark } from "./promote/database-marks";
import { createSecrets } from "./secrets";
import { JOB_NAMES, type Stores } from "./stores";

export interface PostgresSettings {
  /** `postgres://user:password@host/database` */
  address: string;
  /** Of a copy of the same database, of which the log may be asked. */
  readAddress: string | undefined;
  /** Address of the same database without the pooler before it, if any: NOTIFY is received there. */
  listenAddress?: string | undefined;
  masterKey: Uint8Array;
  /** How long a node may be silent before its leases go back. */
  nodeLifeMs: number;
  /** Receives errors where no caller waits. */
  reportError(error: Error): void;
  /** Opens the log: on a thread of its own, where something else is to be done on this one. */
  openLog(settings: PostgresLogSettings, reportError: (error: Error) => void): Promise<PostgresLog>;
  /** Opens where charges are booked, likewise. */
  openBookings(address: string, reportError: (error: Error) => void): Promise<OpenBookings> | OpenBookings;
}

/** The stores in a database that several nodes share. */
export interface PostgresStores extends Stores {
  /** Stores requests that failed, which cost nothing. Both as encodeCharges gives them. */
  storeFailures(changes: string, entries: string): Promise<void>;
  /** Operations of nodes on the accounts that they share. */
  leases: Leases;
  nodes: NodeQueries;
  /** Changes in the database from the opening on, by any process. */
  feed: ChangeFeed;
  /** Queries answered in the order of this node's own changes, for data kept in memory. */
  readInOrder: AccountQueries;
  /** The connections that this node has. */
  connections(): PoolUse;
}

/** Interval of adding new lines to the sums: until then totals read them row by row. */
const ADD_UP_MS = 10_000;
const FORGET_SENT_MS = 3_600_000;
const FORGET_APPLIED_MS = 600_000;

/** Timeout of closing when the server does not answer: charges not committed by then are not reported as done. */
const CLOSE_MS = 10_000;

/** Closes the opened parts, the newest first. */
const closeAll = async (opened: readonly { close(): Promise<void> }[]): Promise<void> => {
  for (const one of [...opened].reverse()) await one.close();
};

/**
 * Opens the stores of a database, and brings it to the newest schema.
 * @throws DatabaseRefused that says why not.
 */
export const openPostgresStores = async ({
  address,
  readAddress,
  listenAddress,
  masterKey,
  nodeLifeMs,
  reportError,
  openLog,
  openBookings,
}: PostgresSettings): Promise<PostgresStores> => {
  const opened: { connections(): PoolUse; close(): Promise<void> }[] = [];
  const keep = <T extends (typeof opened)[number]>(one: T): T => {
    opened.push(one);
    return one;
  };
  try {
    const accounts = keep(await openAccounts(address, createSecrets(masterKey), reportError));
    await checkDatabaseMark(address);
    const log = keep(await openLog({ address, readAddress }, reportError));
    const { bodies } = keep(await openBodies(address, masterKey, reportError));
    const { leases, nodes } = keep(
      openLeases(address, nodeLifeMs, announceRecall, await openBookings(address, reportError)),
    );
    const feed = keep(await openChangeFeed(address, listenAddress));
    const locks = keep(openJobLocks(address, JOB_NAMES.length));
    return {
      read: { ...accounts.queries, ...log.queries },
      write: accounts.changes,
      log: log.maintenance,
      bodies: {
        ...bodies,
        clearBefore: (timestamp) => clearInSteps(() => bodies.clearBefore(timestamp)),
        clearUser: (userId) => clearInSteps(() => bodies.clearUser(userId)),
      },
      storeFailures: accounts.charges.commit,
      leases,
      nodes,
      feed,
      readInOrder: accounts.queriesInOrder,
      async exclusively(job, step) {
        await locks.exclusively(JOB_NAMES.indexOf(job), step);
      },
      upkeep: [
        { name: "adding-up", everyMs: ADD_UP_MS, run: () => log.addUpSums() },
        { name: "forgetting-sent", everyMs: FORGET_SENT_MS, run: () => accounts.forgetSent() },
        { name: "forgetting-told", everyMs: FORGET_APPLIED_MS, run: () => accounts.forgetAppliedChanges() },
      ],
      connections: () => addUses(opened.map((one) => one.connections())),
      close: () => Promise.race([closeAll(opened), wait(CLOSE_MS, undefined, { ref: false })]),
    };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
};
