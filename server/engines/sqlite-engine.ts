import { join } from "node:path";
import { createMemoryMoney } from "@tollgate/accounts/account-money";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { hold } from "@tollgate/metering/ledger";
import { startSqliteStores } from "@tollgate/storage/sqlite-stores";
import { connectWorker } from "@tollgate/storage/threads/connect-worker";
import { ChargeWriter } from "../state/charge-writer";
import { oneNode } from "../state/known-nodes";
import type { Engine, EngineSettings } from "./engine";

/**
 * One process with its data in files.
 * @param dataDir their folder. @param workerPath the built thread.
 */
export const openSqliteEngine = async (
  dataDir: string,
  workerPath: string,
  { masterKey, reportError, onMove, onBroken, about }: EngineSettings,
): Promise<Engine> => {
  let isClosing = false;
  const { charges, lag, ...stores } = await startSqliteStores(
    async (settings) => {
      const thread = await connectWorker(workerPath, settings);
      // A new thread would find the folder locked by this process, and a journal still being written.
      void thread.ended.then((error) => {
        if (!isClosing) onBroken(error);
      });
      return thread;
    },
    join(dataDir, "tollgate.db"),
    masterKey,
    reportError,
  );
  const money = createMemoryMoney(onMove);
  return {
    stores: {
      ...stores,
      close() {
        isClosing = true;
        return stores.close();
      },
    },
    money,
    lag,
    openCharging({ options, now, onQuotaLow, countActive, limiter, ended }) {
      const writer = new ChargeWriter(
        charges,
        money.balances,
        options,
        now,
        reportError,
        onQuotaLow,
        countActive,
        limiter,
        ended,
      );
      return {
        holds: { place: hold },
        charges: writer,
        fault: () => (charges.isFailing ? "storage-failing" : undefined),
        backlog: () => writer.backlog,
        start: async () => {},
        close: () => writer.close(),
      };
    },
    nodes: oneNode(about, () => toUnixSeconds(Date.now())),
    nodeRank: undefined,
    shared: undefined,
  };
};
