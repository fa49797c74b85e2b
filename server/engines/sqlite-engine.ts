import { join } from "node:path";
import { startSqliteStores } from "@tollgate/storage/sqlite-stores";
import { connectWorker } from "@tollgate/storage/threads/connect-worker";
import type { Engine, EngineSettings } from "./engine";

/**
 * One process with its data in files.
 * @param dataDir their folder. @param workerPath the built thread.
 */
export const openSqliteEngine = async (
  dataDir: string,
  workerPath: string,
  { masterKey, reportError }: EngineSettings,
): Promise<Engine> => {
  const { charges, ...stores } = await startSqliteStores(
    (settings) => connectWorker(workerPath, settings),
    join(dataDir, "tollgate.db"),
    masterKey,
    reportError,
  );
  return { stores, charges, shared: undefined, livePlace: undefined };
};
