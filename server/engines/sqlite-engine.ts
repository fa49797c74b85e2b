import { join } from "node:path";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { startSqliteStores } from "@tollgate/storage/sqlite-stores";
import { connectWorker } from "@tollgate/storage/threads/connect-worker";
import { oneNode } from "../state/known-nodes";
import type { Engine, EngineSettings } from "./engine";

/**
 * One process with its data in files.
 * @param dataDir their folder. @param workerPath the built thread.
 */
export const openSqliteEngine = async (
  dataDir: string,
  workerPath: string,
  { masterKey, reportError, about }: EngineSettings,
): Promise<Engine> => {
  const { charges, ...stores } = await startSqliteStores(
    (settings) => connectWorker(workerPath, settings),
    join(dataDir, "tollgate.db"),
    masterKey,
    reportError,
  );
  const nodes = oneNode(about, () => toUnixSeconds(Date.now()));
  return { stores, charges, nodes, shared: undefined, livePlace: undefined };
};
