import { DatabaseRefused } from "../errors";
import type { PoolUse } from "../postgres/connection-pool";
import type { PostgresLog, PostgresLogSettings } from "../postgres-log";
import { connectWorker } from "./connect-worker";
import { keepThread } from "./keep-thread";
import type { PostgresLogNote, PostgresLogPort } from "./postgres-log-port";
import { remotePort } from "./remote-port";

/**
 * Opens the log of a database on a separate thread.
 * @param workerPath the built worker script. @param reportError receives errors where no caller waits.
 * @throws DatabaseRefused with the reason.
 */
export const startPostgresLog = async (
  workerPath: string,
  settings: PostgresLogSettings,
  reportError: (error: Error) => void,
): Promise<PostgresLog> => {
  let use: PoolUse = { open: 0, waiting: 0 };
  const start = () =>
    connectWorker<PostgresLogNote>(workerPath, settings, (said) => {
      if (said.note === "connections") use = said.use;
      else reportError(said.refusal ? new DatabaseRefused(said.refusal) : new Error(said.failure));
    });
  const thread = await keepThread(start, reportError);
  const { log, sums, logs, usage, profit, health, receipts, pricedLines } = remotePort<PostgresLogPort>(
    async (...call) => (await thread.call(...call)).value,
  );
  return {
    queries: { logs, usage, profit, health, receipts, pricedLines },
    maintenance: log,
    addUpSums: sums.addUp,
    connections: () => use,
    close: thread.close,
  };
};
