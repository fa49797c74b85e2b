import type { NodeReport } from "@tollgate/contract/management/node";
import { openPostgresStores } from "@tollgate/storage/postgres-stores";
import { startPostgresLog } from "@tollgate/storage/threads/start-postgres-log";
import type { DatabaseSettings } from "../config";
import { feedLagMs } from "../state/feed-lag";
import { sharedNodes } from "../state/known-nodes";
import type { Engine, EngineSettings } from "./engine";

/** How long a node may be silent before its leases go back (docs/decisions/0013-leases.md). */
const NODE_LIFE_MS = 10_000;

/**
 * One of several nodes, with their data in a database.
 * @param logWorker the built script of the thread that has the log.
 * @throws DatabaseRefused that says why not.
 */
export const openPostgresEngine = async (
  database: DatabaseSettings,
  logWorker: string,
  settings: EngineSettings,
): Promise<Engine> => {
  const { charges, nodes, connections, feed, readInOrder, ...stores } = await openPostgresStores({
    ...database,
    ...settings,
    nodeLifeMs: NODE_LIFE_MS,
    openLog: (log, reportError) => startPostgresLog(logWorker, log, reportError),
  });
  const about = (): NodeReport => {
    const { open, waiting } = connections();
    return {
      ...settings.about(),
      feed_lag_ms: feedLagMs(feed.state()),
      database_connections: open,
      database_waiting: waiting,
    };
  };
  return {
    stores,
    charges,
    shared: { feed, readInOrder },
    nodes: sharedNodes(nodes, about, () => undefined),
    // Until it is in the database as a node it knows of no other.
    livePlace: () => ({ nodes: 1, place: 0 }),
  };
};
