import { openOutbox } from "./accounts/postgres/open-outbox";
import type { LogMaintenance, LogQueries } from "./log/ports";
import { openLog } from "./log/postgres/open-log";
import { OutboxDrain } from "./outbox/outbox-drain";
import { addUses, type PoolUse } from "./postgres/connection-pool";

/** Rows of the outbox that are taken over at once. */
const OUTBOX_ROWS = 200;

export interface PostgresLogSettings {
  /** `postgres://user:password@host/database`, whose accounts were opened. */
  address: string;
  /** Of a copy of the same database, of which the log may be asked. */
  readAddress: string | undefined;
}

/** The log of a database that several nodes share, and the process that moves lines there. */
export interface PostgresLog {
  /** Queries of all that was committed before: it is moved into the log first. */
  queries: LogQueries;
  maintenance: LogMaintenance;
  /** Adds up lines written since the last time. Queries see these before as well, but have more to add. */
  addUpSums(): Promise<void>;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Takes over the remaining entries, and closes the connections. */
  close(): Promise<void>;
}

const afterOutbox = (queries: LogQueries, drained: () => Promise<void>): LogQueries => ({
  logs: {
    page: async (...asked) => drained().then(() => queries.logs.page(...asked)),
    sorted: async (...asked) => drained().then(() => queries.logs.sorted(...asked)),
    after: async (...asked) => drained().then(() => queries.logs.after(...asked)),
    search: async (...asked) => drained().then(() => queries.logs.search(...asked)),
  },
  usage: {
    ofUser: async (...asked) => drained().then(() => queries.usage.ofUser(...asked)),
    spentSince: async (...asked) => drained().then(() => queries.usage.spentSince(...asked)),
    keySpending: async (...asked) => drained().then(() => queries.usage.keySpending(...asked)),
    newModelSpending: async (...asked) => drained().then(() => queries.usage.newModelSpending(...asked)),
    consumedQuota: async (...asked) => drained().then(() => queries.usage.consumedQuota(...asked)),
    pointsJson: async (...asked) => drained().then(() => queries.usage.pointsJson(...asked)),
    pointsInParts: async (...asked) => drained().then(() => queries.usage.pointsInParts(...asked)),
    servedModels: async (...asked) => drained().then(() => queries.usage.servedModels(...asked)),
  },
  health: {
    ofChannels: (...asked) => queries.health.ofChannels(...asked),
    ofModels: (...asked) => queries.health.ofModels(...asked),
    latency: (...asked) => queries.health.latency(...asked),
    userLatency: (...asked) => queries.health.userLatency(...asked),
  },
  profit: { report: async (...asked) => drained().then(() => queries.profit.report(...asked)) },
  receipts: { find: async (...asked) => drained().then(() => queries.receipts.find(...asked)) },
  pricedLines: {
    shapes: async (...asked) => drained().then(() => queries.pricedLines.shapes(...asked)),
    lines: async (...asked) => drained().then(() => queries.pricedLines.lines(...asked)),
    part: async (...asked) => drained().then(() => queries.pricedLines.part(...asked)),
  },
});

/**
 * Opens the log, and starts to take over entries of the outbox.
 * @param reportError receives errors where no caller waits.
 * @throws DatabaseRefused with the reason.
 */
export const openPostgresLog = async (
  { address, readAddress }: PostgresLogSettings,
  reportError: (error: Error) => void,
): Promise<PostgresLog> => {
  const outbox = openOutbox(address);
  const log = await openLog(address, outbox.channelNames, readAddress, reportError).catch(
    async (error: unknown) => {
      await outbox.close();
      throw error;
    },
  );
  const take = (upTo?: number) => log.takeOver((transaction) => outbox.take(transaction, OUTBOX_ROWS, upTo));
  const takeAll = async (): Promise<void> => {
    const newest = await outbox.newest();
    if (newest === undefined) return;
    do await take(newest);
    while (await outbox.isAnyUpTo(newest));
  };
  const drain = new OutboxDrain(take, takeAll, reportError);
  return {
    queries: afterOutbox(log.queries, () => drain.drained()),
    maintenance: log.maintenance,
    addUpSums: log.addUpSums,
    connections: () => addUses([log.connections(), outbox.connections()]),
    async close() {
      await drain.close();
      await log.close();
      await outbox.close();
    },
  };
};
