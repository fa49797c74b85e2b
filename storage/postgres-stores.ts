import type { AccountQueries, ChangeFeed, ChargeStore, Leases, NodeQueries } from "./accounts/ports";
import { announceRecall, openChangeFeed } from "./accounts/postgres/change-feed";
import { openAccounts } from "./accounts/postgres/open-accounts";
import { openLeases } from "./accounts/postgres/open-leases";
import { takeOutboxRows } from "./accounts/postgres/outbox.repository";
import { clearInSteps } from "./bodies/clear-in-steps";
import { openBodies } from "./bodies/postgres/open-bodies";
import type { LogQueries } from "./log/ports";
import { openLog } from "./log/postgres/open-log";
import { OutboxDrain } from "./outbox/outbox-drain";
import { addUses, type PoolUse } from "./postgres/connection-pool";
import { openJobLocks } from "./postgres/job-locks";
import { createSecrets } from "./secrets";
import { JOB_NAMES, type Stores } from "./stores";

/** Rows of the outbox that are taken over at once. */
const OUTBOX_ROWS = 200;

export interface PostgresSettings {
  /** `postgres://user:password@host/database` */
  address: string;
  /** Of a copy of the same database, of which the log may be asked. */
  readAddress: string | undefined;
  masterKey: Uint8Array;
  /** How long a node may be silent before its leases go back. */
  nodeLifeMs: number;
  /** Told of what fails where nobody waits. */
  reportError(error: Error): void;
}

/** The stores in a database that several nodes share. */
export interface PostgresStores extends Stores {
  /** Charges as one node alone may book them: straight from the balances. */
  charges: ChargeStore;
  /** What nodes ask of the accounts that they share. */
  leases: Leases;
  nodes: NodeQueries;
  /** What was changed in the database from the opening on, by whoever. */
  feed: ChangeFeed;
  /** Queries that are answered in the order of this node's own changes, for what is kept in memory. */
  readInOrder: AccountQueries;
  /** The connections that this node has. */
  connections(): PoolUse;
}

/** Queries that see what was committed before: first it is brought into the log. */
const afterOutbox = (queries: LogQueries, drained: () => Promise<void>): LogQueries => ({
  logs: {
    page: async (...asked) => drained().then(() => queries.logs.page(...asked)),
    search: async (...asked) => drained().then(() => queries.logs.search(...asked)),
  },
  usage: {
    spentSince: async (...asked) => drained().then(() => queries.usage.spentSince(...asked)),
    consumedQuota: async (...asked) => drained().then(() => queries.usage.consumedQuota(...asked)),
    pointsJson: async (...asked) => drained().then(() => queries.usage.pointsJson(...asked)),
  },
  receipts: { find: async (...asked) => drained().then(() => queries.receipts.find(...asked)) },
});

/** How often what was written since is added to the sums: until then totals read it row by row. */
const ADD_UP_MS = 10_000;
const FORGET_SENT_MS = 3_600_000;
const FORGET_TOLD_MS = 600_000;

/** Ends what was opened, the newest first. */
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
  masterKey,
  nodeLifeMs,
  reportError,
}: PostgresSettings): Promise<PostgresStores> => {
  const opened: { connections(): PoolUse; close(): Promise<void> }[] = [];
  const keep = <T extends (typeof opened)[number]>(one: T): T => {
    opened.push(one);
    return one;
  };
  try {
    const accounts = keep(await openAccounts(address, createSecrets(masterKey)));
    const log = keep(await openLog(address, accounts.channelNames, readAddress));
    const { bodies } = keep(await openBodies(address, masterKey));
    const { leases, nodes } = keep(openLeases(address, nodeLifeMs, announceRecall));
    const feed = keep(await openChangeFeed(address));
    const locks = keep(openJobLocks(address, JOB_NAMES.length));
    const take = (upTo?: number) =>
      log.takeOver((transaction) => takeOutboxRows(transaction, OUTBOX_ROWS, upTo));
    const takeAll = async (): Promise<void> => {
      const newest = await accounts.outbox.newest();
      if (newest === undefined) return;
      do await take(newest);
      while (await accounts.outbox.isAnyUpTo(newest));
    };
    const drain = new OutboxDrain(take, takeAll, reportError);
    return {
      read: { ...accounts.queries, ...afterOutbox(log.queries, () => drain.drained()) },
      write: accounts.changes,
      log: log.maintenance,
      bodies: {
        ...bodies,
        clearBefore: (timestamp) => clearInSteps(() => bodies.clearBefore(timestamp)),
        clearUser: (userId) => clearInSteps(() => bodies.clearUser(userId)),
      },
      charges: {
        isFailing: false,
        append(changes, entries, done) {
          accounts.charges.commit(changes, entries).then(() => done(undefined), done);
        },
      },
      leases,
      nodes,
      feed,
      readInOrder: accounts.queriesInOrder,
      async exclusively(job, step) {
        await locks.exclusively(JOB_NAMES.indexOf(job), step);
      },
      upkeep: [
        { name: "adding-up", everyMs: ADD_UP_MS, run: log.addUpSums },
        { name: "forgetting-sent", everyMs: FORGET_SENT_MS, run: accounts.forgetSent },
        { name: "forgetting-told", everyMs: FORGET_TOLD_MS, run: accounts.forgetTold },
      ],
      connections: () => addUses(opened.map((one) => one.connections())),
      async close() {
        await drain.close();
        await closeAll(opened);
      },
    };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
};
