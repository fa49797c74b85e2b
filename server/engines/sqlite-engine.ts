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
  { masterKey, reportError, onMove, about }: EngineSettings,
): Promise<Engine> => {
  const { charges, ...stores } = await startSqliteStores(
    (settings) => connectWorker(workerPath, settings),
    join(dataDir, "tollgate.db"),
    masterKey,
    reportError,
  );
  const money = createMemoryMoney(onMove);
  return {
    stores,
    money,
    openCharging({ options, now, onQuotaLow, countActive, limiter }) {
      const writer = new ChargeWriter(
        charges,
        money.balances,
        options,
        now,
        reportError,
        onQuotaLow,
        countActive,
        limiter,
      );
      return {
        holds: { place: hold },
        charges: writer,
        fault: () => (charges.isFailing ? "storage-failing" : undefined),
        start: async () => {},
        close: () => writer.close(),
      };
    },
    nodes: oneNode(about, () => toUnixSeconds(Date.now())),
    livePlace: undefined,
    shared: undefined,
  };
};
